// The name of a person or fraudster, as far as it is known. Pure.
import type { Party } from '../model/entities.js';

export const nameOf = ({ details: { firstName, lastName } }: Party): string =>
  `${firstName} ${lastName}`.trim();
