// Deutsch: die Hilfeseiten.
import type { text as en } from '../en/help.js';

export const text: typeof en = {
  title: 'Hilfe',
  about:
    'Anleitungen und Referenz dieser Version, in englischer Sprache. Strg-K findet Seiten, Einstellungen und was ein Wort bedeutet.',
  folders: { guides: 'Anleitungen', reference: 'Referenz' },
  api: 'API-Referenz: jede Operation, mit Beispielen zum Ausprobieren',
  language: 'Diese Seite gibt es nur auf Englisch.',
  missing: 'Diese Anleitung gibt es nicht',
};
