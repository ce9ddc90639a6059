// Deutsch: Alarmgrenzen für synthetische Sprache nach den eigenen Anrufern.
import type { text as en } from '../en/alarm-thresholds.js';
import { many, num } from '../tools.js';

export const text: typeof en = {
  title: 'Alarmgrenze für synthetische Sprache',
  hint: 'Zieht die Grenze dort, wo Ihre eigenen Anrufer so wenige Fehlalarme auslösen, wie Sie wollen.',
  wanted: 'Vertretbare Fehlalarme (%)',
  range: 'Eine Zahl von 0,1 bis 10',
  perCaller: 'Anrufe je Anrufer',
  perCallerHint:
    'In Prozent der ehrlichen Anrufe. Von jeder Person und jeder Nummer zählen ein bis zehn Anrufe: Wer öfter anruft, zählt nicht mehr als andere.',
  perCallerRange: 'Eine ganze Zahl von 1 bis 10',
  find: 'Aus meinen Anrufen bestimmen',
  finding: 'Gespeicherte Anrufe werden durchgesehen',
  failed: 'Die Grenzen konnten nicht gezogen werden',
  notAllowed:
    'Gespeicherte Anrufe dieses Mandanten dürfen dafür nicht verwendet werden. Eigentümer können es unter „Schwellen nach Ihren eigenen Anrufern“ erlauben.',
  nothing:
    'Es gibt keine Anrufe, aus denen sich eine Grenze ableiten ließe. Lassen Sie Anrufe auf synthetische Sprache prüfen, und geben Sie an, wer anruft: eine Person oder eine Nummer.',
  looked: (calls, truncated) =>
    `${many(calls, '# Anruf wurde', '# Anrufe wurden')} durchgesehen${truncated ? ', die neuesten; es gibt mehr' : ''}.`,
  excluded: 'Anrufe, die nicht zählen',
  why: 'Warum',
  count: 'Anrufe',
  reasons: {
    ERASED: 'Personenbezogene Daten wurden gelöscht',
    NO_CHECK: 'Nicht auf synthetische Sprache geprüft',
    OTHER_DETECTOR: 'Von einem anderen Detektor geprüft',
    NOT_JUDGED: 'Für die Prüfung zu wenig Sprache oder zu starkes Rauschen',
    FRAUD_OUTCOME: 'Ausgang als Betrug oder jemand anderes festgehalten',
    FRAUDSTER_FOUND: 'Ein bekannter Betrüger wurde erkannt',
    ATTACK_FOUND:
      'Ein Angriff wurde gefunden, nicht nur mit einer eigenen Grenze, und niemand hat den Anruf als echt festgehalten',
    SUSPICIOUS: 'Als verdächtig gekennzeichnet',
    OPTED_OUT: 'Die Person hat widersprochen',
    UNKNOWN_CALLER: 'Weder Person noch Nummer ist bekannt',
    CALLER_COUNTED: 'Person oder Nummer zählt mit neueren Anrufen',
    OWN_ALARM:
      'Sie haben mit einer eigenen Grenze einen Alarm ausgelöst und würden die Grenze anheben, und niemand hat sie als echt festgehalten',
  },
  lineOf: (band) => `Alarmgrenze, ${band}`,
  bands: { narrow: 'Sprache am Telefon', wide: 'Breitbandige Sprache' },
  basis: (calls, callers, genuine) =>
    `${many(calls, '# Anruf', '# Anrufe')} von ${many(callers, '# Anrufer', '# Anrufern')}, ${num(genuine)} davon als echt festgehalten.`,
  missing: (rate, needed) =>
    `Zu wenige für ${rate} Fehlalarme: Nötig sind mindestens ${num(needed.calls)} Anrufe von mindestens ${num(needed.callers)} Anrufern. Warten Sie, zählen Sie je Anrufer mehr Anrufe, oder nehmen Sie mehr Fehlalarme in Kauf.`,
  tooHigh:
    'Zu viele dieser Anrufe klingen nach Angriffen: Keine Grenze löst so wenige Alarme aus. Hören Sie die Anrufe unten an.',
  costs: (share) =>
    `Kosten: ${share} der ehrlichen Anrufe würden einen Fehlalarm auslösen, beurteilt an Anrufern, die die Grenze nicht gezogen haben.`,
  shadow: (before, after, calls) =>
    `Von den letzten ${many(calls, '# Anruf', '# Anrufen')}, auch denen, die nicht zählen, hätten ${num(after)} einen Alarm ausgelöst; mit der geltenden Grenze ${num(before)}.`,
  buys: 'Nutzen: Eine niedrigere Grenze erfasst mehr Angriffe. synthetic-views-14 erfasste am Telefon 72 % bei 471 statt 51 %, an Mikrofonen 78 % bei 261 statt 52 %.',
  buysNothing:
    'Nutzen: weniger Fehlalarme, denn die geltende Grenze liegt niedriger, als Ihre Anrufer es zulassen. Mit der vorgeschlagenen werden weniger Angriffe erfasst.',
  same: 'Die geltende Grenze liegt dort, wo sie sich aus Ihren Anrufen ergibt.',
  one: (risk) =>
    `Ohne den einen Anrufer, der sie am meisten anhebt, läge die Grenze bei ${num(risk)}. Hören Sie die Anrufe unten an, und halten Sie ihren Ausgang fest.`,
  held: (calls, inUse, risk) =>
    `${many(calls, '# weiterer Anruf hat', '# weitere Anrufe haben')} mit einer eigenen Grenze einen Alarm ausgelöst, und niemand hat ${calls === 1 ? 'ihn' : 'sie'} als echt festgehalten. Die Grenze bleibt bei ${num(inUse)}; sind sie ehrlich, läge sie bei ${num(risk)}. Hören Sie hinein, halten Sie ihren Ausgang fest, und ziehen Sie die Grenze noch einmal.`,
  alarmed: (calls) =>
    `${num(calls)} dieser Anrufe ${calls === 1 ? 'hat' : 'haben'} mit einer eigenen Grenze einen Alarm ausgelöst, und niemand hat ${calls === 1 ? 'ihn' : 'sie'} als echt festgehalten. Hier zählen sie als ehrlich. Hören Sie sie an, und halten Sie ihren Ausgang fest.`,
  chart: (band) => `${band}: Anrufe nach Risiko`,
  chartText: (inUse, proposed) =>
    proposed === undefined
      ? `Der Alarm beginnt bei ${num(inUse)}.`
      : `Der Alarm beginnt jetzt bei ${num(inUse)}, mit der vorgeschlagenen Grenze bei ${num(proposed)}.`,
  riskAxis: 'Risiko',
  countAxis: 'Anrufe',
  calls: 'Anrufe Ihrer Anrufer',
  shipped: 'Mitgelieferte Grenze',
  inUse: 'Geltende Grenze',
  proposed: 'Vorgeschlagene Grenze',
  highest: 'Anrufe mit dem höchsten Risiko',
  call: 'Anruf',
  risk: 'Risiko',
  decided: 'Entscheidung',
  heard: 'Ausgang',
  genuine: 'Echt',
  unheard: 'Nicht festgehalten',
  save: (configset) => `Für ${configset} speichern, um sie erst zu erproben`,
  saved: 'Als neue Revision gespeichert, die unter „Revisionen“ im Schattenbetrieb erprobt werden kann.',
  activate: 'Diese Grenzen aktivieren',
  activateTitle: 'Die Alarmgrenzen Ihrer Anrufer aktivieren',
  activateText: (configset) =>
    `Anrufe mit der Konfiguration ${configset} werden sofort nach diesen Grenzen beurteilt: Manche, die offen blieben, werden zu Alarmen. Die bisherigen Grenzen bleiben erhalten.`,
  activated: 'Die Alarmgrenzen Ihrer Anrufer sind aktiv.',
  changed:
    'Seit diese Grenzen gezogen wurden, sind Anrufe dazugekommen. Prüfen Sie die neuen Zahlen, und aktivieren Sie dann erneut.',
  back: 'Zurück zu den Grenzen davor',
  backDone: 'Die Grenzen davor gelten wieder.',
  backText: 'Die Grenzen, die Sie gerade ersetzt haben, bleiben erhalten.',
  kept: (lines) => `Alarmgrenzen für synthetische Sprache nach eigenen Anrufern: ${lines}`,
  keptLine: (band, risk, calls, callers) =>
    `${band} ${num(risk)} (${many(calls, '# Anruf', '# Anrufe')} von ${many(callers, '# Anrufer', '# Anrufern')})`,
  nowhere: 'Wählen Sie oben eine Konfiguration, um Grenzen für sie zu speichern.',
};
