// Deutsch: was eine Sitzung bedeutet.
import type { AssessmentWords } from './catalogue.js';

const OTHER_PROOF = 'Stellen Sie auf anderem Weg fest, wer es ist.';

export const text: AssessmentWords = {
  headlines: {
    FRAUD: {
      word: 'Betrugsrisiko',
      inherited: 'Betrugsrisiko in einer früheren Sitzung',
      meaning: 'Es gibt Anzeichen für Betrug.',
      next: 'Sagen Sie dem Anrufer nichts davon. Folgen Sie Ihrem Verfahren bei Betrug.',
    },
    NO_MATCH: {
      word: 'Keine Übereinstimmung',
      inherited: 'Keine Übereinstimmung in einer früheren Sitzung',
      meaning: 'Die Stimme passt nicht.',
      next: `Behandeln Sie den Anrufer als nicht verifiziert. ${OTHER_PROOF}`,
    },
    REFUSED: {
      word: 'Abgelehnt',
      meaning: 'Der Stimmabdruck ist gesperrt, daher wurde die Stimme nicht verglichen.',
      next: `${OTHER_PROOF} Entsperren Sie den Stimmabdruck erst, wenn die Person, der er gehört, den Anruf bestätigt hat.`,
    },
    UNCERTAIN: {
      word: 'Unsicher',
      meaning: 'Die Prüfungen konnten nicht entscheiden.',
      next: `Behandeln Sie den Anrufer als nicht verifiziert. ${OTHER_PROOF}`,
    },
    FAILED: {
      word: 'Fehlgeschlagen',
      meaning: 'Eine Prüfung endete mit einem Fehler.',
      next: `Behandeln Sie den Anrufer als nicht verifiziert. ${OTHER_PROOF}`,
    },
    AUTHENTIC: {
      word: 'Verifiziert',
      inherited: 'In einer früheren Sitzung verifiziert',
      meaning: 'Die Stimme passt.',
      next: '',
    },
    NO_RISK_DETECTED: {
      word: 'Kein Risiko gefunden',
      inherited: 'Kein Risiko in einer früheren Sitzung',
      meaning:
        'Die Prüfungen haben nichts Verdächtiges gefunden. Wer angerufen hat, haben sie nicht geprüft.',
      next: '',
    },
    ENROLLMENT: {
      word: 'Registrierung',
      meaning: 'Eine Stimme wurde registriert. Geprüft wurde nichts.',
      next: '',
    },
    UPLOAD: {
      word: 'Upload',
      meaning:
        'Sie enthält nur Aufnahmen. Was gefunden wurde, sagen die Sitzungen, in denen sie geprüft wurden.',
      next: '',
    },
    LISTENING: { word: 'Hört zu', meaning: 'Es gibt noch nicht genug Sprache.', next: '' },
    NONE: { word: 'Nichts entschieden', meaning: 'Keine Prüfung hat ein Ergebnis.', next: '' },
  },
  caveats: {
    FOUND_LATER: {
      word: 'Später gefunden',
      meaning: 'Nach dem Anruf wurden darin ein Betrüger oder Anzeichen eines Angriffs gefunden.',
      next: 'Verlassen Sie sich nicht auf das Ergebnis. Halten Sie den Ausgang fest.',
    },
    OUTCOME_DISAGREES: {
      word: 'Ausgang widerspricht',
      meaning: 'Der festgehaltene Ausgang spricht gegen das, was die Prüfungen sagen.',
      next: '',
    },
    OTHER_PERSON: {
      word: 'Andere Person',
      meaning: 'Das Ergebnis betrifft jemand anderes als die angegebene Person.',
      next: 'Fragen Sie, wer anruft, und verifizieren Sie diese Person.',
    },
    CONTRADICTION: {
      word: 'Prüfungen widersprechen sich',
      meaning: 'Vielleicht hat mehr als eine Person gesprochen.',
      next: `Verlassen Sie sich nicht auf eine Übereinstimmung. ${OTHER_PROOF}`,
    },
    SECOND_VOICE: {
      word: 'Andere Stimme',
      meaning: 'In einem Teil des Anrufs spricht jemand anderes.',
      next: `Verlassen Sie sich nicht auf eine Übereinstimmung. ${OTHER_PROOF}`,
    },
    PROMPT_FAILED: {
      word: 'Ziffern nicht nachgesprochen',
      meaning:
        'Der Anrufer sollte Ziffern nachsprechen und hat das nicht richtig, rechtzeitig und mit derselben Stimme getan.',
      next: `Verlassen Sie sich nicht auf die Stimme. ${OTHER_PROOF}`,
    },
    PROMPT_WANTED: {
      word: 'Ziffern nachsprechen lassen',
      meaning: 'Der Anrufer sollte Ziffern nachsprechen und hat es noch nicht getan.',
      next: 'Bitten Sie den Anrufer, Ziffern nachzusprechen, oder stellen Sie auf anderem Weg fest, wer es ist.',
    },
    CLAIM_NOT_CONFIRMED: {
      word: 'Angegebene Person nicht bestätigt',
      meaning: 'Kein Vergleich sagt, ob der Anrufer die angegebene Person ist.',
      next: 'Verifizieren Sie den Anrufer, oder stellen Sie auf anderem Weg fest, wer es ist.',
    },
    CALLER_NOT_ISOLATED: {
      word: 'Kanal des Anrufers nicht allein geprüft',
      meaning: 'Was geprüft wurde, kann die Stimme des Agenten sein.',
      next: `${OTHER_PROOF} Lassen Sie die Anwendung sagen, wer auf welchem Kanal spricht.`,
    },
    ATTACK_CHECK_MISSING: {
      word: 'Nicht auf Angriffe geprüft',
      meaning: 'Niemand weiß, ob ein Mensch live gesprochen hat, weil eine Prüfung darauf fehlt.',
      next: 'Verlassen Sie sich nicht allein auf die Stimme.',
    },
    LIST_NOT_FULLY_COMPARED: {
      word: 'Liste nicht ganz verglichen',
      meaning: 'Die Stimme wurde nicht mit allen auf einer Liste verglichen.',
      next: 'Betrachten Sie den Anrufer nicht als unbedenklich.',
    },
    CUT_OFF: {
      word: 'Abgebrochen',
      meaning: 'Das Zuhören endete vor dem Anruf: Das Ergebnis gilt für den Teil davor.',
      next: '',
    },
    INHERITED: {
      word: 'Aus einer früheren Sitzung',
      meaning:
        'Die Entscheidung kommt aus einer anderen Sitzung dieses Engagements. In dieser sagt das keine Prüfung.',
      next: 'Wenn jetzt jemand anderes sprechen könnte, verifizieren Sie den Anrufer noch einmal.',
    },
    DATA_ERASED: {
      word: 'Daten gelöscht',
      meaning: 'Personenbezogene Daten wurden gelöscht: Das Ergebnis bleibt nur als Nachweis.',
      next: '',
    },
    ATTACK_CHECK_UNRESOLVED: {
      word: 'Angriffsprüfung offen',
      meaning: 'Eine Angriffsprüfung konnte nicht sagen, ob ein Mensch live gesprochen hat.',
      next: '',
    },
    REFUSED: {
      word: 'Abgelehnt',
      meaning: 'Eine Verifizierung wurde wegen einer Sperre abgelehnt.',
      next: '',
    },
  },
  results: {
    MATCHED: 'passt',
    NOT_MATCHED: 'passt nicht',
    UNDECIDED: 'offen',
    NOT_COMPARED: 'nicht verglichen',
    ENROLLED: 'registriert',
  },
  claimed: {
    MATCHED: 'angegeben, passt',
    NOT_MATCHED: 'angegeben, passt nicht',
    UNDECIDED: 'angegeben, offen',
    NOT_COMPARED: 'angegeben, nicht verglichen',
    ENROLLED: 'angegeben, registriert',
  },
  fraudsters: { MATCHED: 'erkannter Betrüger', ENROLLED: 'als Betrüger registriert' },
  checks: { SYNTHETIC_SPEECH: 'Synthetische Sprache', CHANNEL_PLAYBACK: 'Abgespielte Aufnahme' },
  found: {
    SYNTHETIC_SPEECH: 'synthetische Sprache',
    CHANNEL_PLAYBACK: 'abgespielte Aufnahme',
    FRAUD_DETECTION: 'bekannter Betrüger',
    ENROLLMENT: 'als Betrüger registriert',
  },
  causes: {
    FRAUDSTER_INDICATION: 'ein bekannter Betrüger',
    SYNTHETIC_SPEECH_DETECTED: 'synthetische Sprache',
    PLAYBACK_INDICATION: 'eine abgespielte Aufnahme',
    SPEAKER_CHANGED: 'eine andere Stimme in einem Teil des Anrufs',
    AUDIO_TOO_SHORT: 'nicht genug Sprache',
    AUDIO_TOO_SOFT: 'zu leise',
    AUDIO_TOO_LOUD: 'zu laut',
    AUDIO_TOO_NOISY: 'Störgeräusche',
    INVALID_AUDIO: 'unbrauchbare Aufnahme',
    NOT_ENROLLED: 'kein trainierter Stimmabdruck',
    PERSON_OPTED_OUT: 'widersprochen',
    PROFILE_COOLING_OFF: 'der Stimmabdruck ist zu neu',
    NO_SCORES: 'nichts zum Vergleichen',
    INTERNAL_ERROR: 'ein Fehler des Servers',
    two_voices: 'mehrere Stimmen',
    too_short: 'nicht genug Sprache',
    noise: 'Störgeräusche',
    channel: 'Telefon mit Mikrofon verglichen',
    print: 'ein Stimmabdruck aus wenig Sprache',
    net_speech_s: 'nicht genug Sprache',
    snr_db: 'Störgeräusche',
    bandwidth: 'Telefonqualität',
    spread: 'der Detektor widerspricht sich',
    distance: 'Ton von unbekannter Art',
    score: 'zwischen Mensch und Angriff',
    reliability: 'Kanal, Störgeräusche oder Länge',
    not_measured: 'nicht gemessen',
  },
  because: (causes) => `Grund: ${causes}.`,
  unavailable: {
    SYNTHETIC_SPEECH: 'Die Prüfung auf synthetische Sprache ist am Telefon nicht verfügbar.',
    CHANNEL_PLAYBACK: 'Die Prüfung auf abgespielte Aufnahmen ist am Telefon nicht verfügbar.',
  },
  requiredForGreen: 'Die Konfiguration verlangt sie für Grün.',
  incomplete: 'Unvollständig',
  onAgentsChannel: 'auf dem Kanal des Agenten',
  inEarlierSession: 'in einer früheren Sitzung',
  erasedPerson: 'gelöschte Person',
  unknownPerson: 'unbekannte Person',
  deleted: (id) => `${id} (gelöscht)`,
};
