// English: what another outcome deletes, where the rest of an erased person was only kept as evidence; and what it leaves.
import { many } from '../tools.js';

const GOES =
  'the recordings and scores of that person are deleted at once, and with them the calling number, case number, note and references';
const WITH_OTHERS =
  'If somebody else was claimed or recognized in the same engagement, the case number and the note stay, and so do the calling number and references of sessions in which the erased person was not claimed, or somebody else was recognized.';
const STAYS_IF_GENUINE =
  'Recordings on legal hold and those in which another person was recognized stay; those from which a fraudster’s voiceprint was made stay until that voiceprint is deleted. This cannot be undone.';
const STAYS_OTHERWISE =
  'Recordings on legal hold stay, and so does everything of a call in which another person or a known fraudster was recognized, or from which a fraudster’s voiceprint was made. This cannot be undone.';
const OF_ONE = `The personal data of a person in this engagement was erased, and the rest is only kept as evidence of fraud. With this outcome ${GOES}. ${WITH_OTHERS}`;
/** `{sessions}` are links, one for each engagement. */
const OF_MANY = `In the engagements of these sessions the personal data of a person was erased, and the rest is only kept as evidence of fraud: {sessions}. With this outcome ${GOES}. ${WITH_OTHERS}`;

const ERASED = 'The personal data of a person in this engagement was erased.';
const UNTIL_PRINT_GOES =
  'Recordings from which a fraudster’s voiceprint was made stay until that voiceprint is deleted.';

export const outcomeErases = {
  /** On the page of a session: why something is kept, and what makes it go. */
  kept: {
    asFraud: `Kept as evidence of fraud. ${ERASED}`,
    /** By what is known of the fraudster; `unknown` where it may be either. */
    withFraudster: {
      recognized: `The recordings of this session are kept because a known fraudster was recognized in it. ${ERASED}`,
      made: `The recordings of this session are kept because a fraudster’s voiceprint was made from it. ${ERASED}`,
      both: `The recordings of this session are kept because a known fraudster was recognized in it, and a fraudster’s voiceprint was made from it. ${ERASED}`,
      unknown: `The recordings of this session are kept because a known fraudster was recognized in it, or a fraudster’s voiceprint was made from it. ${ERASED}`,
    },
    /** `{sessions}` are links: other sessions of the engagement. */
    withFraudsterElsewhere: {
      recognized: `Recordings of this engagement are kept in session {sessions}, because a known fraudster was recognized there. ${ERASED}`,
      made: `Recordings of this engagement are kept in session {sessions}, because a fraudster’s voiceprint was made from them. ${ERASED}`,
      both: `Recordings of this engagement are kept in session {sessions}, because a known fraudster was recognized there, and a fraudster’s voiceprint was made from them. ${ERASED}`,
      unknown: `Recordings of this engagement are kept in session {sessions}, because a known fraudster was recognized there, or a fraudster’s voiceprint was made from them. ${ERASED}`,
    },
    untilGenuine: `The recordings are deleted when the outcome Genuine is recorded for this engagement. ${UNTIL_PRINT_GOES}`,
    untilAgain: `The outcome Genuine was recorded before the fraudster was recognized or enrolled, so it did not delete them. If it was a false alarm, record Genuine again. ${UNTIL_PRINT_GOES}`,
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
      'A known fraudster was recognized in this engagement. With this outcome, that counts as a false alarm: evidence of fraud in these recordings is then no longer kept when a person in them is erased.',
    inSeveral:
      'Known fraudsters were recognized in these engagements. With this outcome, that counts as a false alarm: evidence of fraud in these recordings is then no longer kept when a person in them is erased.',
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
      `${fraudster} is taken off ${lists} and raises no alarms there any more. The voiceprint stays until the fraudster is deleted, and ${fraudster} can be put on a watchlist again.`,
    removed: (fraudster: string) => `${fraudster} is on no watchlist any more.`,
  },
};
