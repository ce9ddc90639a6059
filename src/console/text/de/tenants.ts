// Deutsch: Mandanten.
import type { text as en } from '../en/tenants.js';

export const text: typeof en = {
  title: 'Mandanten',
  about:
    'Ein Mandant hat eigene Personen, Stimmabdrücke, Schwellen und ein eigenes Audit. Nichts gelangt von einem zum anderen.',
  states: {
    SCOPE_STATE_UNSPECIFIED: '–',
    SCOPE_STATE_CREATED: 'Angelegt',
    SCOPE_STATE_INITIALIZED: 'Eingerichtet',
    SCOPE_STATE_INITIALIZATION_FAILURE: 'Einrichtung fehlgeschlagen',
    SCOPE_STATE_READY: 'Bereit',
    SCOPE_STATE_ACTIVE: 'Aktiv',
    SCOPE_STATE_PENDING_DELETION: 'Zum Löschen vorgemerkt',
    SCOPE_STATE_DELETED: 'Gelöscht',
  },
  add: 'Neuer Mandant',
  none: 'Noch keine Mandanten',
  noneText: 'Stimmen gehören zu einem Mandanten. Legen Sie den ersten an.',
  caption: 'Mandanten',
  tenant: 'Mandant',
  inUse: '(geöffnet)',
  id: 'ID',
  state: 'Status',
  open: 'Öffnen',
  rename: 'Umbenennen',
  keep: 'Behalten',
  kept: (name) => `${name} bleibt erhalten.`,
  deleteTitle: (name) => `Mandant ${name} löschen?`,
  deleteText: (time) =>
    `Alle Personen, Stimmabdrücke, Aufnahmen und Einstellungen werden am ${time} gelöscht. Bis dahin können Sie die Löschung zurücknehmen, danach nicht mehr.`,
  deleteAtOnceText:
    'Dieser Mandant war nie aktiv und wird daher sofort gelöscht. Das kann nicht rückgängig gemacht werden.',
  deletedOn: (time) => `Wird am ${time} gelöscht`,
  pending: (time) =>
    time === ''
      ? 'Dieser Mandant ist zum Löschen vorgemerkt: Alles darin wird gelöscht.'
      : `Dieser Mandant ist zum Löschen vorgemerkt: Alles darin wird am ${time} gelöscht.`,
  pendingMark: 'wird gelöscht',
  keepTenant: 'Mandanten behalten',
  delete: 'Mandant löschen',
  deleted: (name) => `${name} ist zum Löschen vorgemerkt.`,
  create: 'Mandant anlegen',
  created: (name) => `${name} ist bereit; Sie sind weiterhin im bisherigen Mandanten.`,
  openNow: (name) => `${name} öffnen`,
  name: 'Name des Mandanten',
  nameHint: 'Programme verwenden diesen Namen.',
  customer: 'Kunde',
  usedFor: 'Verwendung',
  types: { PRODUCTION: 'Produktion', INTERNAL: 'Intern', DEMO: 'Demo' },
  expected: 'Erwartete Personen',
  renameTitle: (name) => `${name} umbenennen`,
  renameHint: 'Programme, die ihn über den Namen finden, brauchen den neuen. Seine ID bleibt gleich.',
  description: 'Beschreibung',
  save: 'Mandant speichern',
  saved: 'Mandant gespeichert.',
};
