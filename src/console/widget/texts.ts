// The widget's texts for agents, in the languages of the console.
import type { LiveStateJson } from '../../gen/voxgate/live/v1/live_pb.js';

export type State = Exclude<LiveStateJson, 'LIVE_STATE_UNSPECIFIED'>;

export interface Texts {
  title: string;
  states: Record<State, string>;
  /** Shown instead of the state if there is more to say. */
  reasons: Record<string, string>;
  /** Shown instead of the state if an attack check could not decide. */
  unknown: Partial<Record<State, string>>;
  waiting: string;
  ended: string;
  speech: (seconds: string) => string;
  /** The label of the bar that fills up with speech. */
  untilDecision: string;
  risk: (risk: number) => string;
  noRisk: string;
  confirm: string;
  deny: string;
  consent: string;
  /** Shown if the customer has to be asked first. */
  askConsent: string;
  confirmed: string;
  denied: string;
  enrolled: string;
  /** By the result of training the voiceprint. */
  untrained: Record<string, string>;
  notEnrolled: (why: string) => string;
  lost: string;
  refused: string;
  failed: (why: string) => string;
}

const english: Texts = {
  title: 'Caller verification',
  states: {
    LISTENING: 'Listening',
    AUTHENTIC: 'Voice matches',
    NO_MATCH: 'Voice does not match',
    UNCERTAIN: 'Uncertain',
    FRAUD: 'Fraud warning',
    NO_RISK_DETECTED: 'No risk found',
  },
  reasons: {
    SPEAKER_CHANGED: 'Uncertain: another voice is heard',
    PROFILE_COOLING_OFF: 'Not compared: the voiceprint is too new',
    SYNTHETIC_SPEECH_DETECTED: 'Fraud warning: the voice sounds computer-generated',
    PLAYBACK_INDICATION: 'Fraud warning: this sounds like a recording',
    'UNCERTAIN SYNTHETIC_SPEECH_DETECTED': 'Uncertain: the voice sounded computer-generated at first',
    'UNCERTAIN PLAYBACK_INDICATION': 'Uncertain: this sounded like a recording at first',
  },
  unknown: {
    AUTHENTIC: 'Voice matches, but it is not known whether a live person speaks',
    NO_RISK_DETECTED: 'No risk found, but not every check could decide',
  },
  waiting: 'Waiting for the call',
  ended: 'Call ended',
  speech: (seconds) => `${seconds} s of speech`,
  untilDecision: 'Speech until the first decision',
  risk: (risk) => `Risk ${risk} of 1000`,
  noRisk: 'No risk score yet',
  confirm: 'Confirm customer',
  deny: 'Not the customer',
  consent: 'The customer agrees to a voiceprint',
  askConsent: 'Ask the customer for consent to a voiceprint, tick the box, then confirm again.',
  confirmed: 'You confirmed the customer.',
  denied: 'You said that this is not the customer.',
  enrolled: 'The voice was added to the voiceprint.',
  untrained: {
    INCONSISTENCY: 'The voiceprint cannot be used yet: its calls do not sound like one person.',
    NOT_READY_TO_TRAIN: 'The voiceprint cannot be used yet: too little of its speech is usable.',
  },
  notEnrolled: (why) => `The voice was not added to the voiceprint: ${why}.`,
  lost: 'Connection lost. Trying again.',
  refused: 'This call can no longer be followed.',
  failed: (why) => `That did not work: ${why}`,
};

const german: Texts = {
  title: 'Anruferprüfung',
  states: {
    LISTENING: 'Hört zu',
    AUTHENTIC: 'Stimme passt',
    NO_MATCH: 'Stimme passt nicht',
    UNCERTAIN: 'Unsicher',
    FRAUD: 'Betrugswarnung',
    NO_RISK_DETECTED: 'Kein Risiko gefunden',
  },
  reasons: {
    SPEAKER_CHANGED: 'Unsicher: Eine andere Stimme ist zu hören',
    PROFILE_COOLING_OFF: 'Nicht verglichen: Der Stimmabdruck ist zu neu',
    SYNTHETIC_SPEECH_DETECTED: 'Betrugswarnung: Die Stimme klingt computergeneriert',
    PLAYBACK_INDICATION: 'Betrugswarnung: Das klingt nach einer Aufnahme',
    'UNCERTAIN SYNTHETIC_SPEECH_DETECTED': 'Unsicher: Die Stimme klang anfangs computergeneriert',
    'UNCERTAIN PLAYBACK_INDICATION': 'Unsicher: Das klang anfangs nach einer Aufnahme',
  },
  unknown: {
    AUTHENTIC: 'Stimme passt, aber ob wirklich ein Mensch spricht, ist nicht geklärt',
    NO_RISK_DETECTED: 'Kein Risiko gefunden, aber nicht jede Prüfung konnte entscheiden',
  },
  waiting: 'Wartet auf den Anruf',
  ended: 'Anruf beendet',
  speech: (seconds) => `${seconds} s Sprache`,
  untilDecision: 'Sprache bis zur ersten Entscheidung',
  risk: (risk) => `Risiko ${risk} von 1000`,
  noRisk: 'Noch kein Risikowert',
  confirm: 'Kunden bestätigen',
  deny: 'Nicht der Kunde',
  consent: 'Der Kunde willigt in einen Stimmabdruck ein',
  askConsent:
    'Fragen Sie den Kunden, ob er in einen Stimmabdruck einwilligt, setzen Sie das Häkchen und bestätigen Sie erneut.',
  confirmed: 'Sie haben den Kunden bestätigt.',
  denied: 'Sie haben angegeben, dass dies nicht der Kunde ist.',
  enrolled: 'Die Stimme wurde dem Stimmabdruck hinzugefügt.',
  untrained: {
    INCONSISTENCY:
      'Der Stimmabdruck ist noch nicht nutzbar: Seine Anrufe klingen nicht nach einer einzigen Person.',
    NOT_READY_TO_TRAIN: 'Der Stimmabdruck ist noch nicht nutzbar: Zu wenig seiner Sprache ist brauchbar.',
  },
  notEnrolled: (why) => `Die Stimme wurde nicht in den Stimmabdruck aufgenommen: ${why}.`,
  lost: 'Verbindung verloren. Neuer Versuch läuft.',
  refused: 'Dieser Anruf kann nicht mehr verfolgt werden.',
  failed: (why) => `Das hat nicht geklappt: ${why}`,
};

/** By a language tag such as `de-AT`; English for any other language. */
export const textsOf = (language: string): Texts => (/^de\b/i.test(language) ? german : english);
