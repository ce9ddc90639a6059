// English: what a session came to, by all its checks together, and what to do.
import { num } from '../tools.js';
import { who, whoClaimed } from './session-who.js';

/** What to do, by what all checks together say. */
export const verdict = {
  refused: {
    title: 'Verification was refused, because the voiceprint is locked',
    next: 'The voice was not compared. Listen to the recording, and unlock the voiceprint only when its owner has confirmed the call.',
    nextUnheard:
      'The voice was not compared. Ask a fraud analyst to listen to the recording: the voiceprint should be unlocked only when its owner has confirmed the call.',
  },
  erased: {
    title: 'The personal data of this call was erased',
    next: 'Who called and the scores of the checks are no longer known. The decisions below are kept for the record only.',
  },
  enrolledSince: 'Since then, this voice was enrolled as that of a fraudster: do not rely on the match.',
  /** An alarm that the outcome has taken back. */
  judgedGenuine: 'The outcome Genuine was recorded after that: it counts as a false alarm.',
  /** An analyst has judged it, whatever the checks say. */
  judgedFraud: {
    title: 'The outcome was recorded as fraud',
    next: (said: string) => `By the checks alone: ${said}. Do not rely on that.`,
  },
  notChecked: {
    title: 'The voice matches, but attack checks were not made',
    ofSome: (open: number, all: number) =>
      `The voice matches, but ${num(open)} of ${num(all)} recordings ${open === 1 ? 'was' : 'were'} not checked for attacks`,
    next: 'Whether a live person spoke is not known. Check the recording for attacks before you rely on the match.',
    nextUnheard:
      'Whether a live person spoke is not known, and your role may not check the recording. Ask a fraud analyst to check it for attacks.',
    nextUnkept:
      'Whether a live person spoke is not known, and there is no recording to check. Confirm who it was in another way.',
  },
  clearNotChecked: {
    title: 'No known fraudster was recognized, but attack checks were not made',
    ofSome: (open: number, all: number) =>
      `No known fraudster was recognized, but ${num(open)} of ${num(all)} recordings ${open === 1 ? 'was' : 'were'} not checked for attacks`,
    next: 'Whether a live person spoke is not known. Check the recording for attacks before you rely on it.',
    nextUnheard:
      'Whether a live person spoke is not known, and your role may not check the recording. Ask a fraud analyst to check it for attacks.',
    nextUnkept:
      'Whether a live person spoke is not known, and there is no recording to check. Confirm who it was in another way.',
  },
  checkUncertain: {
    title: 'The voice matches, but an attack check could not decide',
    next: 'Whether a live person spoke is not known. Listen to the recording, and confirm who it is in another way.',
    nextUnkept: 'Whether a live person spoke is not known. Confirm who it is in another way.',
  },
  /** It matches elsewhere in the same session. */
  mismatch: {
    inRecordings: (recordings: string) => `The voice matches, but not in ${recordings.toLowerCase()}`,
    sinceThen: 'The voice matched at first, and no longer does',
    otherPrint: 'The voice matches one voiceprint, and not another one it was compared with',
    next: 'More than one person may have spoken. Listen to the recordings, and confirm who it is in another way.',
    nextUnkept: 'More than one person may have spoken. Confirm who it is in another way.',
  },
  /** `from`: seconds in the call, in words. */
  secondVoice: {
    afterMatch: (from: string) =>
      `Somebody else speaks in a part of the call, from about ${from} on, after the voice had matched`,
    inPart: (from: string) => `Somebody else speaks in a part of the call, from about ${from} on`,
    next: 'Do not rely on the match. Listen to the recording, and confirm who it is in another way.',
    nextUnkept: 'Do not rely on the match. Confirm who it is in another way.',
  },
  listUncertain: {
    title: 'The voice matches, but a watchlist check could not decide',
    next: 'Whether a known fraudster spoke is not known. Listen to the recording, and check it against the watchlist again.',
    nextUnheard:
      'Whether a known fraudster spoke is not known. Ask a fraud analyst to check the call against the watchlist again.',
    nextUnkept: 'Whether a known fraudster spoke is not known. Confirm who it is in another way.',
  },
  matchOfNobody: {
    title: 'The voice matches, but nobody on the watchlist had a trained voiceprint',
    next: 'Whether a known fraudster spoke is not known. Add fraudsters with a trained voiceprint to the watchlist, and check the recording again.',
    nextUnkept:
      'Whether a known fraudster spoke is not known. Add fraudsters with a trained voiceprint to the watchlist before the next check.',
  },
  matchOfSome: {
    title: 'The voice matches, but one of the watchlists had nobody with a trained voiceprint',
    next: 'The checks below name it. On the others the voice was not found. Add fraudsters with a trained voiceprint to it, and check the recording again.',
    nextUnkept:
      'The checks below name it. On the others the voice was not found. Add fraudsters with a trained voiceprint to it before the next check.',
  },
  matchUnlisted: {
    title: 'The voice matches, but was not compared with a watchlist',
    ofSome: (open: number, all: number) =>
      `The voice matches, but ${num(open)} of ${num(all)} recordings ${open === 1 ? 'was' : 'were'} not compared with a watchlist`,
    next: 'Whether a known fraudster speaks there is not known. Check the recording against a watchlist before you rely on the match.',
    nextUnheard:
      'It is not known whether a known fraudster speaks there, and your role may not check the recording. Ask a fraud analyst to check it against the watchlist.',
    nextUnkept:
      'Whether a known fraudster speaks there is not known, and there is no recording to check. Confirm who it was in another way.',
  },
  matchMissing: {
    title: (checks: string) =>
      `The voice matches, but nobody looked for this kind of attack: ${checks.toLowerCase()}`,
    next: 'Check the recording for it before you rely on the match.',
    nextUnheard: 'Your role may not check the recording for it. Ask a fraud analyst to do so.',
    nextUnkept: 'There is no recording that could be checked for it. Confirm who it was in another way.',
  },
  /** The decision comes from another session of the engagement. */
  carried: {
    words: {
      DECISION_AUTHENTIC: 'Verified in an earlier session',
      DECISION_NO_RISK_DETECTED: 'No risk found in an earlier session',
      DECISION_FRAUD: 'Fraud risk in an earlier session',
      DECISION_NO_MATCH: 'No match in an earlier session',
    },
    otherClaimed: 'Another person claimed',
    person: 'verified in an earlier session',
    unlike: 'did not match in an earlier session',
    fraudster: 'recognized in an earlier session',
    foundAfter: 'found later in an earlier session',
    sameVoice: 'fraudster enrolled from an earlier session',
    fact: 'Verified earlier as',
    factUnlike: 'Did not match earlier',
    factFraudster: 'Fraudster recognized earlier',
    session: 'Decided in session',
    /** `{found}` is a fraudster or an attack, `{session}` and `{fraudster}` are links. */
    foundThere: (time: string) => `{found}, on ${time}, in session {session}`,
    enrolledThere: 'Recordings of session {session} added to {fraudster}',
    /** `as`: may be empty, where it is not known. */
    same: {
      title: (as: string, _claimed: string) =>
        `Verified in an earlier session of this engagement${as && `, as ${as}`}`,
      next: 'Nobody was verified in this session itself. If somebody else may be speaking now, verify the caller again.',
      nextOver: 'Nobody was verified in this session itself.',
    },
    other: {
      title: (as: string, claimed: string) =>
        `Verified in an earlier session of this engagement, as ${as || 'somebody else'}; here ${claimed || 'another person'} was claimed`,
      next: 'Do not rely on it: it says nothing of the person claimed here. Ask who is calling, and verify that person.',
      nextOver:
        'Do not rely on it: it says nothing of the person claimed here. Find out who called, and record the outcome.',
      nextJudged: 'Do not rely on it: it says nothing of the person claimed here.',
    },
    /** `found`: may be empty, where it was an attack. */
    alarm: {
      title: (found: string) =>
        found
          ? `A known fraudster was recognized in an earlier session of this engagement: ${found}`
          : 'There were signs of fraud in an earlier session of this engagement',
      next: 'Do not carry out what the caller asks for. The session that is named below has the check that decided.',
      nextOver: 'The session that is named below has the check that decided. Record the outcome.',
      nextJudged: 'The session that is named below has the check that decided.',
    },
    fraudsterLater: {
      title: (found: string) =>
        `A known fraudster was found later in the session that the decision comes from: ${found}`,
      next: 'Do not rely on the decision, which was made before that. The recording is in the session that is named below.',
      nextOver:
        'Do not rely on the decision, which was made before that. Listen to the recording in the session that is named below, and record the outcome.',
      nextJudged: 'The decision was made before that, and the outcome was recorded since.',
    },
    attackLater: {
      title: (attacks: string) =>
        `Signs of an attack were found later in the session that the decision comes from: ${attacks.toLowerCase()}`,
      next: 'Do not rely on the decision, which was made before that. The recording is in the session that is named below.',
      nextOver:
        'Do not rely on the decision, which was made before that. Listen to the recording in the session that is named below, and record the outcome.',
      nextJudged: 'The decision was made before that, and the outcome was recorded since.',
    },
    enrolledLater: 'Since then, the voice in that session was enrolled as that of a fraudster.',
    /** `claimed`: empty where it is the same person. */
    noMatch: {
      title: (whom: string, claimed: string) =>
        `The voice did not match${whom && ` ${whom}`} in an earlier session of this engagement${claimed && `; here ${claimed} was claimed`}`,
      next: 'The checks of this session itself do not say so. Verify the caller again before you act.',
      nextOver: 'The checks of this session itself do not say so.',
    },
    clear: {
      title: 'Nothing suspicious was found in an earlier session of this engagement',
      next: 'The checks of this session itself do not say so. If somebody else may be speaking now, check the caller again.',
      nextOver: 'The checks of this session itself do not say so.',
    },
  },
  who,
  /** Who was left out of the checks. */
  leftOut: {
    CALLER: {
      title: 'Not everything that was checked was checked on the channel of the caller',
      next: 'What was found on another channel says nothing of the caller. Check the channel on which the caller speaks before you rely on it.',
      nextUnkept:
        'What was found on another channel says nothing of the caller. Confirm who it is in another way.',
    },
    MIXED: {
      badge: 'Caller and agent heard as one',
      title: 'Nothing speaks against it, but caller and agent were heard as one',
      beside: 'Caller and agent were heard as one',
      next: 'What was found may be about the agent, or an announcement. Check the channel on which the caller speaks before you rely on it.',
      nextUnkept:
        'What was found may be about the agent, or an announcement. Confirm who it is in another way.',
    },
    TOGETHER: {
      badge: 'Channels heard as one',
      title: 'Nothing speaks against it, but all channels of the recording were heard as one',
      beside: 'All channels of the recording were heard as one',
      next: 'If an agent speaks on one of them, what was found may be about the agent. Check each channel by itself, or have the application say who speaks on which channel (call_parties).',
    },
    UNKNOWN: {
      title:
        'Not every channel of the recording was checked, and nobody has said on which one the caller speaks',
      next: 'Check the other channel as well, or have the application say who speaks on which channel (call_parties).',
    },
    /** Which of several channels was heard, on the card of a check. */
    channel: {
      label: 'Channel',
      number: (heard: number, of: number) =>
        heard === 0 ? `all ${num(of)} as one` : `${num(heard)} of ${num(of)}`,
      whose: { CALLER: 'the caller', AGENT: 'the agent', MIXED: 'caller and agent' } as Readonly<
        Record<string, string>
      >,
      unknown: 'whose it is was not said',
    },
    claimed: {
      badge: 'Claimed person not compared',
      title: (claimed: string) =>
        `Nothing suspicious was found, but the voice was not compared with that of ${whoClaimed(claimed)}`,
      beside: (claimed: string) =>
        `In this session, the voice was not compared with that of ${whoClaimed(claimed)}`,
      next: 'Who is calling is not known. Verify the caller before you act for the person claimed.',
      nextOver: 'Who called is not known. Do not take the call for one of the person claimed.',
    },
    members: {
      title: 'Nothing speaks against it, but some members of the list could not be compared',
      beside: 'Some members of the list could not be compared',
      next: 'The checks below say how many. Give them a trained voiceprint, and check the recording again.',
      nextUnkept: 'The checks below say how many. Give them a trained voiceprint before the next check.',
    },
  },
  matchCutOff: {
    title: 'The voice matched until listening was cut off',
    next: 'What was said after that was not checked. If the call goes on, verify the caller again.',
  },
  matchStopped: {
    title: 'The voice matched until somebody stopped listening',
    next: 'What was said after that was not heard. If the call goes on, verify the caller again.',
  },
  /** `seconds` of the call, in words. */
  noSpeech: {
    title: (seconds: string) => `${seconds} of the call were listened to, and no speech was heard`,
    next: 'The caller was not checked. See whether the telephone system sends the side of the call on which the customer speaks.',
  },
  littleSpeech: {
    title: (seconds: string, speech: string) =>
      `${seconds} of the call were listened to, with too little speech in them: ${speech}`,
    next: 'The caller was not checked. Confirm who it is in another way.',
  },
  /** Nobody on the watchlist has this voice. */
  notListed: {
    title: (checks: string) =>
      `Not a known fraudster, but an attack check could not decide: ${checks.toLowerCase()}`,
    next: 'Whether a live person spoke is not known. Listen to the recording, and confirm who it is in another way.',
    nextUnkept: 'Whether a live person spoke is not known. Confirm who it is in another way.',
  },
  clearInPart: {
    title: (checks: string) =>
      `Nothing suspicious was found, but not every check could decide: ${checks.toLowerCase()}`,
    next: 'Treat the call as not checked for that. Listen to the recording, and confirm who it is in another way.',
    nextUnkept: 'Treat the call as not checked for that, and confirm who it is in another way.',
  },
  clearOfNobody: {
    title: 'Nothing suspicious was found, but nobody on the watchlist had a trained voiceprint',
    next: 'No fraudster was compared. Add fraudsters with a trained voiceprint to the watchlist, and check the recording again.',
    nextUnkept:
      'No fraudster was compared. Add fraudsters with a trained voiceprint to the watchlist before the next check.',
  },
  clearOfSome: {
    title: 'Nothing suspicious was found, but one of the watchlists had nobody with a trained voiceprint',
    next: 'The checks below name it. On the others the voice was not found. Add fraudsters with a trained voiceprint to it, and check the recording again.',
    nextUnkept:
      'The checks below name it. On the others the voice was not found. Add fraudsters with a trained voiceprint to it before the next check.',
  },
  clearUnlisted: {
    title: 'Nothing suspicious was found, but the voice was not compared with a watchlist',
    ofSome: (open: number, all: number) =>
      `Nothing suspicious was found, but ${num(open)} of ${num(all)} recordings ${open === 1 ? 'was' : 'were'} not compared with a watchlist`,
    next: 'Whether a known fraudster speaks there is not known. Check the recording against a watchlist before you rely on it.',
    nextUnheard:
      'It is not known whether a known fraudster speaks there, and your role may not check the recording. Ask a fraud analyst to check it against the watchlist.',
    nextUnkept:
      'Whether a known fraudster speaks there is not known, and there is no recording to check. Confirm who it was in another way.',
  },
  clearMissing: {
    title: (checks: string) =>
      `Nothing suspicious was found, but nobody looked for this kind of attack: ${checks.toLowerCase()}`,
    next: 'Check the recording for it before you rely on it.',
    nextUnheard: 'Your role may not check the recording for it. Ask a fraud analyst to do so.',
    nextUnkept: 'There is no recording that could be checked for it. Confirm who it was in another way.',
  },
  /** Beside a watchlist without anybody on it, or a person without a voiceprint. */
  notCheckedEither: 'Attack checks were not made, either.',
  notConfirmedEither: 'It is not clear whether a live person spoke, either.',
  nobodyEither: 'Nobody on the watchlist had a trained voiceprint, either.',
  unlistedEither: 'Not every recording was compared with a watchlist.',
  missingEither: (check: string) => `Nobody looked for this kind of attack, either: ${check.toLowerCase()}.`,
  /** It was all that was open. */
  clearSince: {
    title: 'An attack check could not decide during the call, and a later one found nothing',
    next: 'The session stays as it was decided then.',
  },
  clearCutOff: {
    title: 'Nothing suspicious was found until listening was cut off',
    next: 'What was said after listening was cut off was not checked. If the call goes on, check it again.',
  },
  clearStopped: {
    title: 'Nothing suspicious was found until somebody stopped listening',
    next: 'What was said after somebody stopped listening was not heard. If the call goes on, check it again.',
  },
  /** Beside the names of attacks. */
  listCheck: 'Known fraudsters',
  comparison: 'Voice comparison',
  fraudster: { title: 'The voice of a known fraudster was recognized' },
  otherVoice: { title: 'The voice is clearly not that of the person it was compared with' },
  fraudsterLater: {
    title: 'A known fraudster was found in this call later',
    next: 'The session was decided before that. Listen to the recording, and record the outcome.',
    nextUnheard:
      'The session was decided before that. Ask a fraud analyst to listen to the recording and to record the outcome.',
    nextJudged: 'The session was decided before that, and its outcome was recorded since.',
  },
  attackLater: {
    title: (attacks: string) => `Signs of an attack were found in this call later: ${attacks.toLowerCase()}`,
    next: 'The session was decided before that. Listen to the recording, and record the outcome.',
    nextUnheard:
      'The session was decided before that. Ask a fraud analyst to listen to the recording and to record the outcome.',
    nextJudged: 'The session was decided before that, and its outcome was recorded since.',
  },
};
