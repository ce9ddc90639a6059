// Deutsch: Webhooks.
import type { text as en } from '../en/webhooks.js';
import { many, num } from '../tools.js';

export const text: typeof en = {
  title: 'Webhooks',
  about:
    'Senden Sie die Ereignisse dieses Mandanten an Ihre eigenen Systeme, sobald sie eintreten. Jedes wird signiert und mindestens einmal zugestellt.',
  caption: 'Webhooks',
  loading: 'Webhooks werden geladen',
  none: 'Noch keine Webhooks',
  noneText:
    'Ein Webhook ist eine Adresse in Ihren Systemen, die Ereignisse wie Verifizierungen und neue Personen erhält.',
  add: 'Webhook hinzufügen',
  address: 'Adresse',
  addressHint: 'Beginnt mit https:// und muss von diesem Server aus erreichbar sein.',
  description: 'Beschreibung',
  events: 'Ereignisse',
  allEvents: 'Alle Ereignisse',
  types: 'Ereignistypen',
  typesHint:
    'Einer je Zeile, etwa voxgate.v1.Verify oder voxgate.v1.Create*. Ohne Angabe werden alle gesendet.',
  addType: 'Ereignistyp hinzufügen',
  chooseType: 'Auswählen',
  state: 'Status',
  states: { on: 'Ein', off: 'Aus', failing: 'Gestört' },
  failingSince: (time) => `Gestört seit ${time}`,
  failingHint: '„Testereignis senden“ zeigt, was der Empfänger antwortet.',
  offText:
    'Dieser Webhook ist ausgeschaltet. Es wird nichts gesendet. Ereignisse dieser Zeit zählen nicht als wartend; sie werden gesendet, sobald er wieder eingeschaltet ist.',
  waiting: 'Wartend',
  deadLetters: 'Nicht zugestellt',
  undelivered: (count) => many(count, '# Ereignis nicht zugestellt', '# Ereignisse nicht zugestellt'),
  created: (host) => `Der Webhook zu ${host} wurde hinzugefügt`,
  newSecret: 'Neues Signaturgeheimnis',
  once: 'Wird nur einmal angezeigt',
  onceText:
    'Das Geheimnis wird nicht noch einmal angezeigt. Hinterlegen Sie es beim Empfänger, bevor Sie dieses Fenster schließen.',
  stored: 'Ich habe es gespeichert',
  done: 'Fertig',
  secret: 'Signaturgeheimnis',
  secretLabel: 'Signaturgeheimnis',
  secretText:
    'Ihr Empfänger prüft damit die Signatur jeder Zustellung, wie in Standard Webhooks beschrieben.',
  edit: 'Bearbeiten',
  editTitle: 'Webhook bearbeiten',
  save: 'Webhook speichern',
  saved: 'Webhook gespeichert.',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  turnOffTitle: 'Webhook ausschalten',
  turnOffText: (host, waiting) =>
    `An ${host} wird nichts mehr gesendet, auch ${many(waiting, 'nicht das # wartende Ereignis', 'nicht die # wartenden Ereignisse')}. Ihre Systeme erfahren von Betrug nichts, bis er wieder eingeschaltet ist.`,
  turnOffKept:
    'Es geht nichts verloren: Ist der Webhook wieder eingeschaltet, sendet er die Ereignisse dieser Zeit, spät und alle auf einmal.',
  turnedOn: 'Der Webhook ist eingeschaltet und macht dort weiter, wo er aufgehört hat.',
  turnedOff: 'Der Webhook ist ausgeschaltet. Ereignisse bleiben erhalten, bis er wieder eingeschaltet wird.',
  switchedOff: 'Der Server hat diesen Webhook ausgeschaltet',
  delete: 'Webhook löschen',
  deleteText: (host, waiting) =>
    `An ${host} werden keine Ereignisse mehr gesendet. ${many(waiting, '# wartendes Ereignis wird', '# wartende Ereignisse werden')} nicht mehr zugestellt.`,
  deleted: 'Webhook gelöscht.',
  ping: 'Testereignis senden',
  pinged: (status) => `Der Empfänger hat das Testereignis angenommen (HTTP ${String(status)}).`,
  notPinged: 'Das Testereignis wurde nicht zugestellt',
  answered: (status) => `Der Empfänger hat mit HTTP ${String(status)} geantwortet.`,
  rotate: 'Neues Geheimnis',
  rotateTitle: 'Neues Signaturgeheimnis erzeugen',
  rotateText:
    'Eine Zeit lang trägt jede Zustellung zwei Signaturen, damit Sie das Geheimnis beim Empfänger austauschen können.',
  overlap: 'Das alte Geheimnis signiert noch',
  overlaps: { 0: 'gar nicht mehr', 3600: '1 Stunde', 86400: '1 Tag', 604800: '7 Tage' },
  rotateAction: 'Geheimnis erzeugen',
  details: 'Einstellungen',
  added: 'Hinzugefügt',
  oldSecretUntil: 'Altes Geheimnis signiert bis',
  replay: 'Erneut senden',
  replayTitle: 'Vergangene Ereignisse erneut senden',
  replayHint:
    'Wenn einem Empfänger Ereignisse verloren gingen. Jedes wird unter seiner eigenen ID erneut gesendet.',
  replayAction: 'Diese Ereignisse erneut senden',
  replayed: (count) =>
    many(count, '# Ereignis wird erneut gesendet.', '# Ereignisse werden erneut gesendet.'),
  replayedLater: (count) =>
    many(
      count,
      '# Ereignis wird erneut gesendet, sobald der Webhook eingeschaltet ist.',
      '# Ereignisse werden erneut gesendet, sobald der Webhook eingeschaltet ist.',
    ),
  dead: 'Nicht zugestellte Ereignisse',
  deadHint:
    'Nach drei Tagen vergeblicher Versuche aufgegeben. Erst auf Ihren Wunsch wird wieder etwas gesendet.',
  deadNone: 'Keine nicht zugestellten Ereignisse',
  deadNoneText: 'Hier steht, was ein Empfänger drei Tage lang nicht angenommen hat.',
  deadLoading: 'Nicht zugestellte Ereignisse werden geladen',
  resendDead: 'Alle erneut senden',
  event: 'Ereignis',
  happened: 'Eingetreten',
  attempts: 'Versuche',
  lastAttempt: 'Letzter Versuch',
  fault: 'Grund',
  gone: 'Nicht mehr im Audit',
  count: (count) => num(count),
};
