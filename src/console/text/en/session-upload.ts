// English: a session that only holds recordings for others.
import { num } from '../tools.js';

export const upload = {
  title: 'Recordings uploaded',
  /** `{batch}` is a link. */
  forBatch: 'Recordings uploaded for {batch}',
  batch: (id: string) => `batch ${id}`,
  text: 'This is not a call. What was found in the recordings is on the pages of the sessions that heard them.',
  unheard: 'This is not a call, and nothing is decided here. No session has heard the recordings yet.',
  /** `{batch}` is a link. */
  givenUp: 'Begun for {batch}, which was canceled',
  givenUpText:
    'This is not a call. Nothing was checked here before the batch was canceled, and nothing is decided.',
  recordings: 'Recordings',
  heardIn: 'Heard in',
  more: (count: number) => `and ${num(count)} more`,
  ofBatch: 'Line of',
};
