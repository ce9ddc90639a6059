// The store of the authorization server: its repositories over one database, and transactions that carry the audit
// trail with them.
import { SYSTEM_CHAIN, auditDetail } from '../../audit/model.js';
import type { AuditAppender } from '../../audit/ports.js';
import type { AuthAuditEntry, AuthRepositories, AuthStore } from '../../auth/ports.js';
import { afterCommit, type Database, type Db, type Tx } from '../database.js';
import { applicationsIn, environmentsIn } from './applications.js';
import { clientsIn } from './clients.js';
import { factorsIn } from './factors.js';
import { failuresIn } from './failures.js';
import { grantsIn } from './grants.js';
import { identitiesIn } from './identities.js';
import {
  authSettingsIn,
  changesIn,
  oneTimeValuesIn,
  ratesIn,
  serverNotesIn,
  signingKeysIn,
} from './state.js';
import { usersIn } from './users.js';

interface AuthStoreDeps {
  database: Database;
  /** The audit log's appender for a transaction. */
  audit: { within(tx: Tx): AuditAppender };
  issuer: string;
}

export function authStore({ database, audit, issuer }: AuthStoreDeps): AuthStore {
  return {
    direct: repositories(database.db),
    transaction: (work) =>
      database.transaction((tx) => {
        const appender = audit.within(tx);
        return work({
          ...repositories(tx),
          audit: { append: (entry) => appender.append(toAuditEntry(entry, issuer)) },
          afterCommit: (hook) => afterCommit(tx, hook),
        });
      }),
  };
}

function repositories(db: Db | Tx): AuthRepositories {
  return {
    users: usersIn(db),
    applications: applicationsIn(db),
    environments: environmentsIn(db),
    clients: clientsIn(db),
    signingKeys: signingKeysIn(db),
    grants: grantsIn(db),
    changes: changesIn(db),
    oneTime: oneTimeValuesIn(db),
    rates: ratesIn(db),
    failures: failuresIn(db),
    identities: identitiesIn(db),
    factors: factorsIn(db),
    settings: authSettingsIn(db),
    servers: serverNotesIn(db),
  };
}

/** Management belongs to the installation, not to one tenant: it goes into the system chain. */
function toAuditEntry(entry: AuthAuditEntry, issuer: string): Parameters<AuditAppender['append']>[0] {
  const { userId, clientId, subject } = entry.actor;
  return {
    chain: SYSTEM_CHAIN,
    recordType: 'WEB_APP_EVENT',
    operation: entry.action,
    actor: { subject, issuer },
    requestId: entry.requestId,
    subjectIds: [entry.target.id],
    detail: auditDetail({
      target: { type: entry.target.type, id: entry.target.id },
      clientId,
      userId,
      tenants: entry.tenants,
      ...entry.detail,
    }),
  };
}
