// Deutsch: Entscheidungen, Gründe mit Rat, Vorgänge, Aufzeichnungen, Kanäle. Schlüssel sind die Codes des Vertrags.
import type { text as en } from '../en/checks.js';
import { many, num } from '../tools.js';

const tooShort = { title: 'Zu wenig Sprache', next: 'Sprechen Sie etwas länger und ohne lange Pausen.' };
const noReason = { title: 'Kein Grund angegeben', next: '' };
const TRY_AGAIN = 'Versuchen Sie es erneut. Wenn es wieder passiert, sehen Sie auf der Seite System nach.';
const NEED_OTHER_PROOF =
  'Behandeln Sie den Anrufer als nicht verifiziert, und stellen Sie auf anderem Weg fest, wer es ist.';
const NOT_BY_VOICE_ALONE =
  'Verlassen Sie sich nicht allein auf die Stimme. Stellen Sie auf anderem Weg fest, wer es war.';
const KEEP_QUIET = 'Sagen Sie es dem Anrufer nicht. Gehen Sie nach Ihrer Betrugsrichtlinie vor.';
const NO_ACTION = 'Sie müssen nichts tun.';
const GO_ON =
  'Sie können fortfahren. Wenn viel auf dem Spiel steht, verlangen Sie zusätzlich einen zweiten Faktor.';

export const text: typeof en = {
  audio: {
    REASON_UNSPECIFIED: noReason,
    REASON_AUDIO_OK: { title: 'Gute Aufnahme', next: 'Nichts zu ändern.' },
    REASON_NOT_ENOUGH_SEGMENTS: {
      title: 'Es werden mehr Aufnahmen gebraucht',
      next: 'Fügen Sie eine weitere Aufnahme hinzu.',
    },
    REASON_INVALID_AUDIO: {
      title: 'Die Aufnahme konnte nicht verwendet werden',
      next: 'Verwenden Sie eine WAV- oder MP3-Datei von höchstens einer Stunde, oder nehmen Sie mit dem Mikrofon auf.',
    },
    REASON_AUDIO_TOO_SHORT: tooShort,
    REASON_AUDIO_TOO_SOFT: {
      title: 'Zu leise',
      next: 'Gehen Sie näher ans Mikrofon oder erhöhen Sie dessen Pegel.',
    },
    REASON_AUDIO_TOO_LOUD: {
      title: 'Zu laut: Die Aufnahme ist übersteuert',
      next: 'Gehen Sie weiter weg vom Mikrofon oder verringern Sie dessen Pegel.',
    },
    REASON_AUDIO_TOO_NOISY: {
      title: 'Zu viele Nebengeräusche',
      next: 'Suchen Sie einen ruhigeren Ort, oder gehen Sie näher ans Mikrofon.',
    },
    REASON_MULTIPLE_SPEAKERS_DETECTED: {
      title: 'Es spricht mehr als eine Person',
      next: 'Nehmen Sie immer nur eine Person auf.',
    },
    REASON_INTERNAL_ERROR: { title: 'Die Prüfung selbst ist fehlgeschlagen', next: TRY_AGAIN },
  },
  train: {
    TRAIN_REASON_UNSPECIFIED: noReason,
    TRAIN_REASON_TRAIN_OK: {
      title: 'Der Stimmabdruck ist trainiert',
      next: 'Verifizieren Sie ihn mit einer neuen Aufnahme.',
    },
    TRAIN_REASON_INCONSISTENCY: {
      title: 'Die Aufnahmen klingen nicht nach einer Person',
      next: 'Entfernen Sie die Aufnahme, die nicht passt, und nehmen Sie sie neu auf.',
    },
    TRAIN_REASON_NOT_READY_TO_TRAIN: {
      title: 'Noch nicht genug Sprache',
      next: 'Fügen Sie eine weitere Aufnahme hinzu.',
    },
    TRAIN_REASON_INTERNAL_ERROR: { title: 'Das Training ist fehlgeschlagen', next: TRY_AGAIN },
  },
  trainNeeds: {
    recordings: (there, needed) => ({
      title: `Es werden mehr Aufnahmen gebraucht: bisher ${num(there)} von ${num(needed)}`,
      next: 'Fügen Sie eine weitere Aufnahme derselben Stimme hinzu.',
    }),
    speech: (there, needed) => ({
      title: `Es wird mehr Sprache gebraucht: bisher ${num(there, 1)} von ${num(needed, 1)} s`,
      next: 'Fügen Sie eine weitere Aufnahme derselben Stimme hinzu.',
    }),
  },
  enroll: {
    ENROLL_REASON_UNSPECIFIED: noReason,
    ENROLL_REASON_ENROLL_OK: { title: 'Aufnahme hinzugefügt', next: 'Fügen Sie die nächste hinzu.' },
    ENROLL_REASON_TOO_SHORT: tooShort,
    ENROLL_REASON_MISSING_MODEL: {
      title: 'In dieser Aufnahme konnte keine Stimme gemessen werden',
      next: 'Nehmen Sie noch einmal auf.',
    },
    ENROLL_REASON_ALREADY_ADDED: {
      title: 'Diese Aufnahme gehört bereits zum Stimmabdruck',
      next: 'Nehmen Sie eine neue auf.',
    },
    ENROLL_REASON_WRONG_PRINT_TYPE: {
      title: 'Diese Aufnahme wurde nur für eine Prüfung verwendet',
      next: 'Nehmen Sie eine neue auf.',
    },
    ENROLL_REASON_PRINT_FULL: {
      title: 'Der Stimmabdruck ist voll',
      next: 'Trainieren Sie ihn, oder entfernen Sie zuerst eine Aufnahme.',
    },
    ENROLL_REASON_INTERNAL_ERROR: { title: 'Die Aufnahme konnte nicht hinzugefügt werden', next: TRY_AGAIN },
  },
  decisions: {
    DECISION_UNSPECIFIED: 'Keine Entscheidung',
    DECISION_AUTHENTIC: 'Verifiziert',
    DECISION_NO_MATCH: 'Keine Übereinstimmung',
    DECISION_FRAUD: 'Betrugsrisiko',
    DECISION_UNCERTAIN: 'Unsicher',
    DECISION_FAILED: 'Fehlgeschlagen',
    DECISION_NO_RISK_DETECTED: 'Kein Risiko gefunden',
  },
  channels: {
    SESSION_TYPE_UNSPECIFIED: '–',
    SESSION_TYPE_CALL_CENTER: 'Gespräch mit einem Agenten',
    SESSION_TYPE_IVR: 'Telefonische Selbstbedienung',
    SESSION_TYPE_DIGITAL: 'Web oder App',
    SESSION_TYPE_FRAUD_ANALYST: 'Betrugsanalyse',
    SESSION_TYPE_ADMINISTRATION: 'Verwaltung',
    SESSION_TYPE_OFFLINE_MEDIA_PROCESSING: 'Nachträgliche Verarbeitung',
    SESSION_TYPE_WEB: 'Web',
    SESSION_TYPE_POST_CALL: 'Nach dem Anruf',
    SESSION_TYPE_PRE_CALL: 'Vor dem Anruf',
    SESSION_TYPE_OTHER: 'Sonstiges',
  },
  intents: {
    SESSION_INTENT_UNSPECIFIED: '–',
    SESSION_INTENT_OPT_OUT: 'Widerspruch',
    SESSION_INTENT_ENROLLMENT: 'Registrierung',
    SESSION_INTENT_ADAPTATION: 'Anpassung',
    SESSION_INTENT_VERIFICATION: 'Verifizierung',
    SESSION_INTENT_FRAUD: 'Betrug',
    SESSION_INTENT_FRAUD_DETECTION: 'Betrugserkennung',
    SESSION_INTENT_ORPHAN: 'Kein Zweck angegeben',
    SESSION_INTENT_OTHER: 'Sonstiges',
  },
  verdicts: {
    ENGAGEMENT_VERDICT_UNSPECIFIED: { word: '–', choice: 'Bitte wählen …' },
    ENGAGEMENT_VERDICT_AUTHENTIC: { word: 'Echt', choice: 'Echt: Es war die angegebene Person' },
    ENGAGEMENT_VERDICT_FRAUD: { word: 'Betrug', choice: 'Betrug' },
    ENGAGEMENT_VERDICT_SOMEONE_ELSE: {
      word: 'Jemand anderes',
      choice: 'Jemand anderes, kein Betrug beabsichtigt',
    },
    ENGAGEMENT_VERDICT_UNCERTAIN: { word: 'Unklar', choice: 'Unklar' },
  },
  records: {
    RECORD_TYPE_ENGAGEMENT_EVENT: 'Engagement',
    RECORD_TYPE_SESSION_EVENT: 'Sitzung',
    RECORD_TYPE_PERSON_EVENT: 'Person',
    RECORD_TYPE_FRAUDSTER_EVENT: 'Betrüger',
    RECORD_TYPE_GROUP_EVENT: 'Gruppe',
    RECORD_TYPE_WATCHLIST_EVENT: 'Beobachtungsliste',
    RECORD_TYPE_MEDIA_EVENT: 'Aufnahme',
    RECORD_TYPE_AUDIO_EVENT: 'Audioverarbeitung',
    RECORD_TYPE_VOICEPRINT_EVENT: 'Stimmabdruck',
    RECORD_TYPE_ANTI_SPOOFING_AUDIT_INFO_EVENT: 'Angriffsprüfung',
    RECORD_TYPE_FACTORS_AUDIT_INFO_EVENT: 'Stimmprüfung',
    RECORD_TYPE_TEXT_EVENT: 'Ziffern zum Nachsprechen',
    RECORD_TYPE_RISK_ENGINE_EVENT: 'Risiko',
    RECORD_TYPE_CALIBRATION_EVENT: 'Kalibrierung',
    RECORD_TYPE_SCOPE_EVENT: 'Mandant und Einstellungen',
    RECORD_TYPE_JOBS_EVENT: 'Hintergrundauftrag',
    RECORD_TYPE_DELETE_PERSONAL_DATA_EVENT: 'Löschung beantragt',
    RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT: 'Löschung abgeschlossen',
    RECORD_TYPE_WEB_APP_EVENT: 'Anmeldung und Verwaltung',
  },
  enrollment: 'Registrierung',
  refused: 'Abgelehnt',
  unavailable: { word: 'Nicht verfügbar', title: 'Am Telefon nicht verfügbar' },
  trial: 'Versuch',
  noSpeech: {
    title: 'Es wurde keine Sprache gefunden',
    next: 'Prüfen Sie, ob auf der Aufnahme eine Stimme ist, und versuchen Sie es erneut.',
  },
  findings: {
    any: {
      LOW_RELIABILITY: {
        title: 'Die Aufnahme reicht für eine Entscheidung nicht aus',
        next: 'Machen Sie eine längere und deutlichere Aufnahme.',
      },
      SYNTHETIC_SPEECH_DETECTED: {
        title: 'Das klingt computergeneriert',
        next: 'Bitten Sie den Anrufer, etwas Unerwartetes zu sagen, und verlassen Sie sich nicht allein auf die Stimme.',
        nextOver: NOT_BY_VOICE_ALONE,
      },
      PLAYBACK_INDICATION: {
        title: 'Das klingt nach einer abgespielten Aufnahme',
        next: 'Verlangen Sie eine spontane Antwort auf eine neue Frage, und verlassen Sie sich nicht allein auf die Stimme.',
        nextOver: NOT_BY_VOICE_ALONE,
      },
      PROMPT_PASSED: { title: 'Dieselbe Stimme hat die Ziffern rechtzeitig nachgesprochen', next: NO_ACTION },
      WORDS_MATCH: { title: 'Die erwarteten Wörter wurden gesagt', next: NO_ACTION },
      WORDS_NO_MATCH: {
        title: 'Es wurden andere Wörter gesagt, oder nicht alle in ihrer Reihenfolge',
        next: 'Bitten Sie noch einmal um andere Ziffern. Gelingt auch das nicht, stellen Sie die Identität auf anderem Weg fest.',
        nextOver: NOT_BY_VOICE_ALONE,
      },
      VOICE_NO_MATCH: {
        title: 'Eine andere Stimme hat die Ziffern gesagt',
        next: 'Verlassen Sie sich nicht auf die Stimme. Stellen Sie auf anderem Weg fest, wer es ist.',
        nextOver: NOT_BY_VOICE_ALONE,
      },
      PROMPT_EXPIRED: {
        title: 'Die Antwort kam zu spät',
        next: 'Bitten Sie um andere Ziffern. Kommt die Antwort wieder zu spät, stellen Sie die Identität auf anderem Weg fest.',
        nextOver: NOT_BY_VOICE_ALONE,
      },
      SPEAKER_CHANGED: {
        title: 'In einem Teil des Anrufs spricht jemand anderes',
        next: 'Verlassen Sie sich nicht auf die Stimme. Stellen Sie auf anderem Weg fest, wer es ist.',
      },
      PROFILE_LOCKED: {
        title: 'Abgelehnt, weil der Stimmabdruck gesperrt ist',
        next: 'Die Stimme wurde nicht verglichen. Stellen Sie die Identität auf anderem Weg fest, und klären Sie, wer es immer wieder versucht.',
      },
      PROFILE_COOLING_OFF: {
        title: 'Nicht verglichen, weil der Stimmabdruck zu neu ist',
        next: 'Stellen Sie die Identität auf anderem Weg fest, bis seine Wartezeit vorbei ist.',
      },
      NOT_ENROLLED: {
        title: 'Nicht verglichen, weil diese Person keinen trainierten Stimmabdruck hat',
        next: 'Stellen Sie die Identität auf anderem Weg fest, oder registrieren Sie die Person zuerst.',
      },
      PERSON_OPTED_OUT: {
        title: 'Nicht verglichen, weil diese Person der Stimmbiometrie widersprochen hat',
        next: 'Stellen Sie die Identität auf anderem Weg fest.',
      },
    },
    verify: {
      VOICEPRINT_MATCH: { title: 'Die Stimme passt zum Stimmabdruck', next: GO_ON },
      VOICEPRINT_NO_MATCH: { title: 'Die Stimme passt nicht gut genug', next: NEED_OTHER_PROOF },
      FRAUDSTER_INDICATION: { title: 'Das ist eindeutig die Stimme von jemand anderem', next: KEEP_QUIET },
      NOT_ENOUGH_SEGMENTS: {
        title: 'Der Stimmabdruck ist noch nicht trainiert',
        next: 'Fügen Sie dem Stimmabdruck weitere Aufnahmen hinzu, und trainieren Sie ihn.',
      },
      NO_SCORES: {
        title: 'Es gab nichts, womit verglichen werden konnte',
        next: 'Trainieren Sie den Stimmabdruck, oder warten Sie, bis seine Wartezeit vorbei ist.',
      },
    },
    identify: {
      VOICEPRINT_MATCH: { title: 'Die Stimme passt zu jemandem aus der Gruppe', next: GO_ON },
      VOICEPRINT_NO_MATCH: {
        title: 'Die Stimme passt zu niemandem in der Gruppe gut genug',
        next: NEED_OTHER_PROOF,
      },
      FRAUDSTER_INDICATION: { title: 'Die Stimme gleicht keiner in der Gruppe', next: NEED_OTHER_PROOF },
      NOT_ENOUGH_SEGMENTS: {
        title: 'Niemand in der Gruppe hat einen trainierten Stimmabdruck',
        next: 'Trainieren Sie zuerst die Stimmabdrücke ihrer Mitglieder.',
      },
      NO_SCORES: {
        title: 'Es gab nichts, womit verglichen werden konnte',
        next: 'Fügen Sie zuerst Personen mit trainiertem Stimmabdruck hinzu.',
      },
    },
    watchlist: {
      FRAUDSTER_INDICATION: { title: 'Die Stimme ähnelt der eines bekannten Betrügers', next: KEEP_QUIET },
      NO_RISK_DETECTED: { title: 'Die Stimme ist nicht die eines bekannten Betrügers', next: NO_ACTION },
      NOT_ENOUGH_SEGMENTS: {
        title: 'Niemand auf der Beobachtungsliste hatte einen trainierten Stimmabdruck',
        next: 'Es wurde mit niemandem verglichen. Trainieren Sie die Stimmabdrücke ihrer Mitglieder, und prüfen Sie erneut.',
      },
      NO_SCORES: {
        title: 'Niemand auf der Beobachtungsliste hatte einen trainierten Stimmabdruck',
        next: 'Es wurde mit niemandem verglichen. Setzen Sie Betrüger mit trainiertem Stimmabdruck darauf, und prüfen Sie erneut.',
      },
    },
    attack: {
      AUDIO_OK: { title: 'Kein Angriff in dieser Aufnahme erkannt', next: NO_ACTION },
      NO_RISK_DETECTED: { title: 'Kein Angriff in dieser Aufnahme erkannt', next: NO_ACTION },
      LOW_RELIABILITY: {
        title: 'Die Prüfung kann diese Art von Aufnahme nicht zuverlässig beurteilen',
        next: 'Behandeln Sie die Aufnahme als nicht geprüft, ganz gleich, welches Risiko angezeigt wird.',
      },
    },
  },
  byDecision: {
    DECISION_UNSPECIFIED: { title: 'Kein Grund angegeben', next: '' },
    DECISION_AUTHENTIC: { title: 'Die Stimme passt', next: 'Sie können fortfahren.' },
    DECISION_NO_MATCH: { title: 'Die Stimme passt nicht gut genug', next: NEED_OTHER_PROOF },
    DECISION_FRAUD: { title: 'Es gibt Anzeichen für Betrug', next: KEEP_QUIET },
    DECISION_UNCERTAIN: {
      title: 'Die Prüfung konnte nicht entscheiden',
      next: 'Machen Sie eine längere und deutlichere Aufnahme, oder stellen Sie auf anderem Weg fest, wer es ist.',
    },
    DECISION_FAILED: { title: 'Die Prüfung selbst ist fehlgeschlagen', next: TRY_AGAIN },
    DECISION_NO_RISK_DETECTED: { title: 'Es wurde nichts Verdächtiges gefunden', next: NO_ACTION },
  },
  session: {
    UNSPECIFIED: '–',
    FRAUD_RISK: 'Eine Prüfung hat ein Betrugsrisiko gefunden',
    AUTHENTIC: 'Die Stimme passt zum Stimmabdruck',
    NO_MATCH: 'Die Stimme passt nicht gut genug',
    NO_DATA: 'Es wurde nichts geprüft',
    LOW_RELIABILITY: 'Keine Prüfung konnte zuverlässig entscheiden',
    NO_RISK_DETECTED: 'Es wurde nichts Verdächtiges gefunden',
    BAD_CONFIGURATION: 'Die Konfiguration ist ungültig',
    NO_AVAILABLE_SCORES: 'Die Stimme konnte nicht verglichen werden',
    BAD_AUDIO: 'Die Aufnahme reicht für eine Entscheidung nicht aus',
    BAD_TEXT: 'Es wurde nicht der erwartete Text gesprochen',
  },
  withLoss: (outcome, loss) => `${outcome}, Schaden ${loss}`,
  printTag: (tag: string) => `Stimmabdruck „${tag}“`,
  goneVoiceprint: 'Ein gelöschter Stimmabdruck',
  deletedName: (name) => `${name} (gelöscht)`,
  attacks: {
    SYNTHETIC_SPEECH: 'Auf synthetische Sprache geprüft',
    CHANNEL_PLAYBACK: 'Auf abgespielte Aufnahmen geprüft',
  },
  attackEvidence: {
    experimental: 'Experimentell',
    experimentalText:
      'Experimentelle Prüfungen sind an neuen Angriffen nicht erprobt: Nehmen Sie sie als Hinweis ({accuracy}).',
    accuracy: 'gemessene Genauigkeit',
    span: (what, from, to) => `${what}: ${from} bis ${to} s`,
    place: (from, to) => `${from} bis ${to} s`,
    places: (places) => `Klingt nach einem Angriff: ${places}.`,
    openSpan: (what, from, to) => `${what}, nicht entschieden: ${from} bis ${to} s`,
    openPlaces: (places) => `Auffällig, aber nicht entschieden: ${places}.`,
    tenantThreshold: (risk, band) =>
      `Der Alarm beginnt bei Risiko ${String(risk)}${band}, der Grenze Ihrer Konfiguration.`,
    bands: { narrow: ' für Sprache am Telefon', wide: ' für breitbandige Sprache' },
    noKind:
      'Wie die Sprache erzeugt wurde (Text-to-Speech, Stimmumwandlung, Vocoder), kann diese Prüfung nicht sagen.',
    measures: {
      spread: 'Die Teile des Detektors widersprechen einander',
      distance: 'Diese Aufnahme gleicht nichts, womit der Detektor trainiert wurde',
      net_speech_s: 'Für diese Prüfung enthält die Aufnahme zu wenig Sprache',
      snr_db: 'Für diese Prüfung rauscht die Aufnahme zu stark',
      score: 'Der Wert liegt dort, wo sich Menschen und Angriffe überschneiden',
      bandwidth: 'Auf diesem Kanal gibt es diese Prüfung nicht: Sie braucht mehr, als ein Telefon überträgt',
    },
  },
  notCompared: {
    group: (count, members) =>
      many(
        count,
        `# von ${num(members)} Personen wurde nicht verglichen: kein nutzbarer Stimmabdruck.`,
        `# von ${num(members)} Personen wurden nicht verglichen: kein nutzbarer Stimmabdruck.`,
      ),
    watchlist: (count, members) =>
      many(
        count,
        `# von ${num(members)} Betrügern wurde nicht verglichen: kein nutzbarer Stimmabdruck.`,
        `# von ${num(members)} Betrügern wurden nicht verglichen: kein nutzbarer Stimmabdruck.`,
      ),
  },
  prompt: {
    asked: 'Verlangt',
    heard: 'Gehört',
    voice: 'Stimmvergleich',
    delay: 'Beantwortet nach',
    seconds: (seconds) => `${num(seconds, 1)} s`,
    said: 'gesagt',
    notHeard: 'nicht gehört',
  },
  attackNames: {
    SYNTHETIC_SPEECH: 'Synthetische Sprache',
    CHANNEL_PLAYBACK: 'Abgespielte Aufnahme',
  },
  evidence: {
    none: 'Kein Wert',
    million: 'mehr als eine Million',
    same: (odds) => `${odds}-mal wahrscheinlicher dieselbe Stimme als eine andere`,
    other: (odds) => `${odds}-mal wahrscheinlicher eine andere Stimme als dieselbe`,
  },
  risk: (risk) => `Risiko ${String(risk)} von 1000`,
  riskValue: (risk) => `${String(risk)} von 1000`,
  reliability: (reliability) => `Zuverlässigkeit ${num(reliability)}/100`,
  you: 'Sie',
  system: 'das System',
  nobody: 'unbekannt',
  clientOf: (client, application) => `Client ${client} der Anwendung ${application}`,
  user: (id) => `Benutzer ${id}`,
};
