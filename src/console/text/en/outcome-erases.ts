// English: what another outcome deletes, where the rest of an erased person was only kept as evidence; and what it leaves.
import { many } from '../tools.js';

const GOES =
  'This outcome deletes it at once: their recordings, scores, numbers, references, and what was noted about them alone.';
const STAYS_IF_GENUINE =
  'What is on legal hold, about somebody else, or in a fraudster’s voiceprint stays. This cannot be undone.';
const STAYS_OTHERWISE =
  'What is on legal hold, about somebody else, or about a known fraudster stays. This cannot be undone.';
const OF_ONE = `A person’s data in this engagement was erased; the rest is kept as evidence of fraud. ${GOES}`;
/** `{sessions}` are links, one for each engagement. */
const OF_MANY = `A person’s data in these engagements was erased; the rest is kept as evidence of fraud: {sessions}. ${GOES}`;

const ERASED = 'A person’s data in this engagement was erased.';
const UNTIL_PRINT_GOES = 'Those in a fraudster’s voiceprint stay until it is deleted.';

export const outcomeErases = {
  /** On the page of a session: why something is kept, and what makes it go. */
  kept: {
    asFraud: `Kept as evidence of fraud. ${ERASED}`,
    /** By what is known of the fraudster; `unknown` where it may be either. */
    withFraudster: {
      recognized: `Kept because a known fraudster was recognized in it. ${ERASED}`,
      made: `Kept because a fraudster’s voiceprint was made from it. ${ERASED}`,
      both: `Kept because a known fraudster was recognized in it, and a fraudster’s voiceprint made from it. ${ERASED}`,
      unknown: `Kept because a known fraudster was recognized in it, or a fraudster’s voiceprint made from it. ${ERASED}`,
    },
    /** `{sessions}` are links: other sessions of the engagement. */
    withFraudsterElsewhere: {
      recognized: `Recordings are kept in session {sessions}: a known fraudster was recognized there. ${ERASED}`,
      made: `Recordings are kept in session {sessions}: a fraudster’s voiceprint was made from them. ${ERASED}`,
      both: `Recordings are kept in session {sessions}: a known fraudster was recognized there, and a fraudster’s voiceprint made from them. ${ERASED}`,
      unknown: `Recordings are kept in session {sessions}: a known fraudster was recognized there, or a fraudster’s voiceprint made from them. ${ERASED}`,
    },
    untilGenuine: `The outcome Genuine deletes the recordings. ${UNTIL_PRINT_GOES}`,
    untilAgain: `Genuine was recorded before the fraudster was found, so nothing was deleted. If it was a false alarm, record it again. ${UNTIL_PRINT_GOES}`,
    onHold: (count: number) =>
      `${many(count, '# recording is', '# recordings are')} kept on legal hold. The personal data of the person was erased.`,
  },
  /** To be typed where something is lost. */
  word: 'delete',
  erases: { genuine: `${OF_ONE} ${STAYS_IF_GENUINE}`, otherwise: `${OF_ONE} ${STAYS_OTHERWISE}` },
  erasesMany: { genuine: `${OF_MANY} ${STAYS_IF_GENUINE}`, otherwise: `${OF_MANY} ${STAYS_OTHERWISE}` },
  looking: 'Looking for what this outcome would delete',
  /** Known fraudsters were recognized, and the outcome genuine takes that back. `{fraudster}` and `{sessions}` are links. */
  recognized: {
    inOne:
      'A known fraudster was recognized in this engagement. This outcome makes that a false alarm: an erasure then also deletes these recordings.',
    inSeveral:
      'Known fraudsters were recognized in these engagements. This outcome makes that a false alarm: an erasure then also deletes these recordings.',
    who: '{fraudster} was recognized in session {sessions}.',
    somebody: 'A known fraudster was recognized in session {sessions}.',
  },
  /** The voice is in the voiceprint of a fraudster, before and after it is judged as genuine. */
  listed: {
    stays: 'The voice of this engagement is enrolled as a fraudster’s. This outcome does not change that:',
    staysMany:
      'Voices of these engagements are enrolled as those of fraudsters. This outcome does not change that:',
    is: 'Judged as genuine, but the voice of this engagement is enrolled as a fraudster’s:',
    keptHere: 'Recordings of this session are kept for that.',
    /** `{sessions}` are links: other sessions of the engagement. */
    keptElsewhere: 'Recordings are kept for that in session {sessions}.',
    /** `{fraudster}` and `{watchlists}` are links. */
    on: '{fraudster} is on watchlist {watchlists} and raises alarms.',
    onUntrained:
      '{fraudster} is on watchlist {watchlists}, but has no trained voiceprint and raises no alarms.',
    onNone: '{fraudster} is enrolled as a fraudster, on no watchlist.',
    alone: 'If it is a mistake, delete the fraudster.',
    known:
      'This fraudster is also known from other calls: if it is a mistake, remove the recordings of this one from the voiceprint.',
    remove: 'Remove from watchlist',
    removeOf: (fraudster: string) => `Remove from watchlist: ${fraudster}`,
    removeText: (fraudster: string, lists: string) =>
      `${fraudster} is taken off ${lists} and raises no alarms there any more. The voiceprint stays.`,
    removed: (fraudster: string) => `${fraudster} is on no watchlist any more.`,
  },
};
