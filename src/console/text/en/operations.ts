// English: what was done, as it stands in timelines and audit trails, and what it was done to. Keys are the names in the records.
import { english } from '../../../words/audit/english.js';

const operations: Readonly<Record<string, string>> = english;

export const text = {
  operations,
  /** What was made of a live call, by what was asked. */
  live: {
    '': 'Live call listened to',
    AUTHENTICATION: 'Live call: voice compared',
    FRAUD_DETECTION: 'Live call: checked against a watchlist',
  },
  targets: {
    application: 'application',
    client: 'client',
    environment: 'environment',
    'public-key': 'public key',
    'signing-key': 'signing key',
    tenant: 'tenant',
    token: 'token',
    user: 'user',
    site: 'site',
    'business-unit': 'business unit',
    agent: 'agent',
    'agent-group': 'agent group',
    hours: 'opening hours',
  },
};
