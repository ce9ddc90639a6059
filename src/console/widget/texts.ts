// The widget's texts for agents, in the languages of the console.
import type { AssessmentWords } from '../../words/catalogue.js';
import { text as englishWords } from '../../words/english.js';
import { text as germanWords } from '../../words/german.js';

export interface Texts {
  title: string;
  /** What a call means, as everywhere else. */
  words: AssessmentWords;
  /** What was found, beside what it means. */
  reasons: Record<string, string>;
  /** By what became of the digits that the caller is to repeat; if they were not repeated, a reason says why. */
  prompts: Record<string, (digits: string) => string>;
  heard: (digits: string) => string;
  ask: string;
  asked: string;
  waiting: string;
  ended: string;
  speech: (seconds: string) => string;
  /** The label of the bar that fills up with speech. */
  untilDecision: string;
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
  words: englishWords,
  reasons: {
    PROFILE_COOLING_OFF: 'The voiceprint is too new to compare with.',
    SYNTHETIC_SPEECH_DETECTED: 'The voice sounds computer-generated.',
    PLAYBACK_INDICATION: 'This sounds like a recording.',
    'UNCERTAIN SYNTHETIC_SPEECH_DETECTED': 'The voice sounded computer-generated at first.',
    'UNCERTAIN PLAYBACK_INDICATION': 'This sounded like a recording at first.',
    WORDS_NO_MATCH: 'The caller has not repeated the digits.',
    VOICE_NO_MATCH: 'The digits were said by another voice.',
    PROMPT_EXPIRED: 'The caller has not answered in time.',
  },
  prompts: {
    ASKED: (digits) => `Ask the caller to say, in English: ${digits}`,
    ENDED: (digits) => `The caller is to say now: ${digits}`,
    PASSED: () => 'The caller has repeated the digits.',
    UNCERTAIN: () => 'The answer could not be judged. Ask for other digits.',
  },
  heard: (digits) => `Heard: ${digits}.`,
  ask: 'Ask for digits',
  asked: 'Digits were read out',
  waiting: 'Waiting for the call',
  ended: 'Call ended',
  speech: (seconds) => `${seconds} s of speech`,
  untilDecision: 'Speech until the first decision',
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
  words: germanWords,
  reasons: {
    PROFILE_COOLING_OFF: 'Der Stimmabdruck ist zu neu für einen Vergleich.',
    SYNTHETIC_SPEECH_DETECTED: 'Die Stimme klingt computergeneriert.',
    PLAYBACK_INDICATION: 'Das klingt nach einer Aufnahme.',
    'UNCERTAIN SYNTHETIC_SPEECH_DETECTED': 'Die Stimme klang anfangs computergeneriert.',
    'UNCERTAIN PLAYBACK_INDICATION': 'Das klang anfangs nach einer Aufnahme.',
    WORDS_NO_MATCH: 'Der Anrufer hat die Ziffern nicht nachgesprochen.',
    VOICE_NO_MATCH: 'Eine andere Stimme hat die Ziffern gesagt.',
    PROMPT_EXPIRED: 'Der Anrufer hat nicht rechtzeitig geantwortet.',
  },
  prompts: {
    ASKED: (digits) => `Bitten Sie den Anrufer, auf Englisch zu sagen: ${digits}`,
    ENDED: (digits) => `Der Anrufer soll jetzt sagen: ${digits}`,
    PASSED: () => 'Der Anrufer hat die Ziffern nachgesprochen.',
    UNCERTAIN: () => 'Die Antwort ließ sich nicht beurteilen. Bitten Sie um andere Ziffern.',
  },
  heard: (digits) => `Gehört: ${digits}.`,
  ask: 'Ziffern nachsprechen lassen',
  asked: 'Ziffern sind vorgelesen',
  waiting: 'Wartet auf den Anruf',
  ended: 'Anruf beendet',
  speech: (seconds) => `${seconds} s Sprache`,
  untilDecision: 'Sprache bis zur ersten Entscheidung',
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
