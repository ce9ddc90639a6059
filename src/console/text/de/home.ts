// Deutsch: die Startseite.
import type { text as en } from '../en/home.js';

export const text: typeof en = {
  hello: (name) => `Hallo, ${name}`,
  tenant: 'Sie arbeiten im Mandanten {tenant}.',
  noTenantAdmin: 'Es gibt noch keinen Mandanten. {create}, um zu beginnen.',
  createTenant: 'Legen Sie den ersten an',
  noTenant: 'Ihr Konto hat noch keinen Mandanten. Bitten Sie einen Administrator, Ihnen einen zuzuteilen.',
  hero: {
    title: 'Probieren Sie Ihre Stimme aus',
    text: 'Drei kurze Aufnahmen ergeben einen Stimmabdruck. Sagen Sie danach irgendetwas, und sehen Sie, ob er Sie erkennt. Das dauert etwa eine Minute; Sie brauchen nur ein Mikrofon.',
    button: 'Stimme ausprobieren',
  },
  doors: {
    connect: {
      title: 'Eine Anwendung anbinden',
      text: 'Holen Sie sich Anwendungs-ID und Client-Zugangsdaten, laden Sie config.json herunter, und kopieren Sie einen curl-Befehl, der ein Token abruft.',
      action: 'Anwendungen verwalten',
      more: 'Zugangsdaten für Werkzeuge',
    },
    people: {
      title: 'Die Anrufer kennen',
      text: 'Sehen Sie, wer registriert ist, pflegen Sie Gruppen und Beobachtungslisten, achten Sie auf Einwilligungen, und verfolgen Sie jede Entscheidung Schritt für Schritt.',
      action: 'Personen und Beobachtungslisten',
      more: 'Sitzungen und Audit',
    },
    limits: {
      title: 'Die Grenzen setzen',
      text: 'Wählen Sie Schwellen nach der Falschakzeptanzrate, die Sie hinnehmen können, gemessen an Ihren eigenen Stimmen, und erproben Sie sie im Schattenbetrieb.',
      action: 'Genauigkeit und Schwellen',
      more: 'System',
    },
  },
  foot: 'Die Konsole verwendet nur die öffentliche API: Lesen Sie deren {reference}, oder laden Sie das {openapi}.',
  reference: 'Referenz',
  openapi: 'OpenAPI-Dokument',
};
