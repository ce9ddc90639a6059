// Deutsch: Vorgänge, wie sie in Verläufen und im Audit stehen, und woran. Schlüssel sind die Namen in den Einträgen.
import { german as operations } from '../../../words/audit/german.js';
import type { text as en } from '../en/operations.js';

export const text: typeof en = {
  operations,
  live: {
    '': 'Live-Anruf mitgehört',
    AUTHENTICATION: 'Live-Anruf: Stimme verglichen',
    FRAUD_DETECTION: 'Live-Anruf: mit einer Beobachtungsliste verglichen',
  },
  targets: {
    application: 'Anwendung',
    client: 'Client',
    environment: 'Umgebung',
    'public-key': 'öffentlicher Schlüssel',
    'signing-key': 'Signaturschlüssel',
    tenant: 'Mandant',
    token: 'Token',
    user: 'Benutzer',
    site: 'Standort',
    'business-unit': 'Geschäftsbereich',
    agent: 'Agent',
    'agent-group': 'Agentengruppe',
    hours: 'Öffnungszeiten',
  },
};
