// English: who called, as far as the checks of a session can tell.

export const whoClaimed = (claimed: string): string =>
  claimed ? `${claimed}, who was claimed` : 'the person who was claimed';
/** As the subject of a sentence. */
const claimedPerson = (claimed: string): string =>
  claimed ? `${claimed}, who was claimed,` : 'the person who was claimed';

/** Beside what was decided; names may be empty, where they are not known. */
export const who = {
  claimed: whoClaimed,
  /** In the place of a name. */
  erased: 'a person whose data was erased',
  anybodyInGroup: 'anybody in the group',
  /** The one claimed was compared as well, and does not match. */
  unlike: {
    title: (other: string, claimed: string) =>
      `The voice does not match ${whoClaimed(claimed)}; it matches ${other || 'somebody else'}`,
    next: 'Do not act for the person claimed. Ask who is calling and why, and verify that person.',
    nextOver: 'The caller was not the person claimed. Find out who called, and record the outcome.',
    nextJudged: 'The caller was not the person claimed.',
  },
  /** More than one person matches. */
  both: {
    title: (other: string, claimed: string) =>
      `The voice matches ${whoClaimed(claimed)}, and also ${other || 'somebody else'}`,
    /** Of each recording its name, and whom it matches. */
    inRecordings: (matches: readonly (readonly [string, string])[], claimed: string) =>
      matches
        .map(
          ([recording, whom]) =>
            `${recording} matches ${claimed && whom === claimed ? whoClaimed(claimed) : whom}`,
        )
        .join('; '),
    next: 'Do not rely on the match: more than one person may have spoken. Listen to the recordings, and ask who is calling.',
    nextUnkept:
      'Do not rely on the match: more than one person may have spoken. Ask who is calling, and verify that person again.',
    nextOver:
      'Do not rely on the match: more than one person may have spoken. Find out who called, and record the outcome.',
    nextJudged: 'Do not rely on the match: more than one person may have spoken.',
  },
  several: (names: string) => `The voice matches more than one person: ${names}`,
  /** The one claimed was compared as well, and it could not be told. */
  unsure: (other: string, claimed: string) =>
    `The voice matches ${other || 'somebody else'}; it is not clear whether it matches ${whoClaimed(claimed)}`,
  /** The one claimed was not compared. */
  other: {
    title: (compared: string, claimed: string) =>
      `The voice matches the voiceprint of ${compared || 'somebody else'}, not of ${claimed || 'the person'} who was claimed`,
    next: 'Do not rely on the match: it says nothing about the person claimed. Ask who is calling, and verify that person.',
    nextUnkept:
      'Do not rely on the match: it says nothing about the person claimed. Ask who is calling, and verify that person.',
    nextOver:
      'Do not rely on the match: it says nothing about the person claimed. Find out who called, and record the outcome.',
    nextJudged: 'Do not rely on the match: it says nothing about the person claimed.',
  },
  compared: (compared: string, claimed: string) =>
    `The voice was compared with that of ${compared || 'somebody else'}, and not of ${claimed || 'the person'} who was claimed.`,
  /** It counts as no match, and somebody matches all the same; `not` may be empty. */
  alsoMatch: {
    title: (whom: string, not: string) =>
      `The voice matches ${whom}, but not ${not || 'in every comparison'}`,
    next: 'The comparison with the most speech decides, so the session counts as no match. Verify the caller again before you act, or confirm who it is in another way.',
    nextOver:
      'The comparison with the most speech decides, so the session counts as no match. See below which comparison says what, and record the outcome.',
    nextJudged:
      'The comparison with the most speech decides, so the session counts as no match. See below which comparison says what.',
  },
  matchesHere: (whom: string) => `In this session the voice matches ${whom}.`,
  /** Nobody matches, and the one claimed was not compared. */
  othersAlone: {
    title: (not: string, claimed: string) =>
      `The voice does not match ${not}; ${claimedPerson(claimed)} was not compared`,
    inGroup: (claimed: string) =>
      `The voice matches nobody in the group; ${claimedPerson(claimed)} was not compared`,
    next: 'This says nothing about the person claimed. Compare the voice with the voiceprint of that person before you turn the caller away.',
    nextOver:
      'This says nothing of the person claimed: the voice was never compared with the voiceprint of that person.',
  },
  /** Nobody matches, and of the one claimed it could not be told. */
  undecided: {
    title: (not: string, claimed: string) =>
      `The voice does not match ${not}; it is not clear whether it matches ${whoClaimed(claimed)}`,
    inGroup: (claimed: string) =>
      `The voice matches nobody it was compared with; it is not clear whether it matches ${whoClaimed(claimed)}`,
    next: 'Compare the voice with the voiceprint of the person claimed before you turn the caller away.',
    nextOver:
      'The voice was not compared with the voiceprint of the person claimed, or not with enough speech.',
  },
  /** What to do where the person claimed was not compared, or not with enough speech, and cannot be any more. */
  goneClaim: 'The data of the person claimed was erased: the voice can no longer be compared with theirs.',
  /** Somebody was claimed, and somebody matches, and the data of either was erased. */
  erasedClaim: {
    title:
      'The voice matches a person whose data was erased; whether that is the person claimed can no longer be determined',
    next: 'Do not rely on the match.',
  },
  nobodyInGroup: {
    title: 'The voice matches nobody in the group',
    next: 'Treat the caller as not verified. People who are not in the group, or have no usable voiceprint, were not compared.',
  },
  /** Only the channel of an agent was compared; `claimed` is absent where nobody was. */
  agentAlone: {
    title: (claimed: string | undefined) =>
      claimed === undefined
        ? 'It was decided by the channel of the agent; who the caller is, is not known'
        : `It was decided by the channel of the agent; whether the caller is ${claimed || 'the person claimed'} is not known`,
    next: 'What was found says nothing of the caller. Compare the channel on which the caller speaks.',
    nextUnkept: 'What was found says nothing of the caller. Confirm who it is in another way.',
  },
};
