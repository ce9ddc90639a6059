// How a person or fraudster is called, as far as that is known. Pure.
import type { Party } from '../model/entities.js';

export const nameOf = ({ details: { firstName, lastName } }: Party): string =>
  `${firstName} ${lastName}`.trim();
