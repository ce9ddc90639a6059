// What the authorization server needs from outside: repositories, sealing of private keys, an outlet for
// runtime events. src/storage/auth has the adapters; test/conformance runs one suite over all of them.
import type { AuditDetail } from '../audit/model.js';
import type {
  Application,
  ApplicationMember,
  AuthorizationCode,
  Change,
  ChangeKind,
  Client,
  ClientKind,
  ClientSecret,
  Consent,
  Environment,
  LoginSession,
  Passkey,
  RefreshToken,
  StoredSigningKey,
  StoredTotp,
  User,
} from './model.js';
import type { TenantRole } from './roles.js';
import type { AuditAct } from '../words/audit/english.js';

export interface Users {
  get(userId: string): Promise<User | undefined>;
  /** Like get, but nobody else changes the user before the transaction ends. */
  lock(userId: string): Promise<User | undefined>;
  findByName(userName: string): Promise<User | undefined>;
  list(): Promise<User[]>;
  /** How many have a password that nobody made for them; 0 means that the first-run setup is still open. */
  countWithOwnPassword(): Promise<number>;
  insert(user: User): Promise<void>;
  update(user: User): Promise<void>;
  delete(userId: string): Promise<void>;
  /** The only operation that changes `deviceEpoch`: no browser is known for the user any longer. */
  forgetDevices(userId: string, epoch: string): Promise<void>;
}

export interface Applications {
  get(applicationId: string): Promise<Application | undefined>;
  /** Like get, but nobody else changes the application before the transaction ends. */
  lock(applicationId: string): Promise<Application | undefined>;
  /** All, or only those with this user among the members. */
  list(filter: { userId?: string }): Promise<Application[]>;
  insert(application: Application): Promise<void>;
  update(application: Application): Promise<void>;
  delete(applicationId: string): Promise<void>;
  members(applicationId: string): Promise<ApplicationMember[]>;
  setMember(applicationId: string, userId: string, role: TenantRole): Promise<void>;
  /** The user's role in each application. */
  rolesOf(userId: string): Promise<ReadonlyMap<string, TenantRole>>;
  removeMember(applicationId: string, userId: string): Promise<void>;
}

export interface Environments {
  get(appId: string): Promise<Environment | undefined>;
  /** Like get, but nobody else changes the environment before the transaction ends. */
  lock(appId: string): Promise<Environment | undefined>;
  list(filter: { applicationId?: string; userId?: string }): Promise<Environment[]>;
  insert(environment: Environment): Promise<void>;
  update(environment: Environment): Promise<void>;
  delete(appId: string): Promise<void>;
}

export interface Clients {
  get(clientId: string): Promise<Client | undefined>;
  /** Like get, but nobody else changes the client before the transaction ends. */
  lock(clientId: string): Promise<Client | undefined>;
  list(filter: { appId?: string; userId?: string; kind?: ClientKind }): Promise<Client[]>;
  /** The scopes of all clients of the applications that somebody owns. */
  scopesOwnedBy(userId: string): Promise<string[]>;
  insert(client: Client): Promise<void>;
  update(client: Client): Promise<void>;
  /** Deletes its secrets too. */
  delete(clientId: string): Promise<void>;
  secrets(clientId: string): Promise<ClientSecret[]>;
  insertSecret(secret: ClientSecret): Promise<void>;
  setSecretExpiry(secretId: string, expiresAtMs: number): Promise<void>;
  deleteSecret(secretId: string): Promise<void>;
}

export interface SigningKeyRows {
  list(): Promise<StoredSigningKey[]>;
  insert(key: StoredSigningKey): Promise<void>;
  setExpiry(kid: string, expiresAtMs: number): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}

/** Codes, refresh tokens, sessions, consents: everything of the authorization code flow. */
export interface Grants {
  insertCode(code: AuthorizationCode): Promise<void>;
  /** Marks the code used. `first` is false when somebody had already used it. */
  useCode(codeHash: string, nowMs: number): Promise<{ code: AuthorizationCode; first: boolean } | undefined>;
  insertRefreshToken(token: RefreshToken): Promise<void>;
  getRefreshToken(tokenHash: string): Promise<RefreshToken | undefined>;
  /** Same contract as useCode. */
  useRefreshToken(
    tokenHash: string,
    nowMs: number,
  ): Promise<{ token: RefreshToken; first: boolean } | undefined>;
  /** Drops the refresh tokens of one authorization, of a user, of a client, or of a user at a client. */
  deleteRefreshTokens(filter: { grantId?: string; userId?: string; clientId?: string }): Promise<void>;
  insertSession(session: LoginSession): Promise<void>;
  getSession(sessionHash: string): Promise<LoginSession | undefined>;
  /** Newest first. */
  listSessions(userId: string): Promise<LoginSession[]>;
  /** Sessions that began with one session at the identity provider. */
  listSessionsOfProvider(providerSession: string): Promise<LoginSession[]>;
  deleteSession(sessionHash: string): Promise<void>;
  /** The authorizations of a user, at one client or at all of them. */
  listGrantIds(filter: { userId: string; clientId?: string }): Promise<string[]>;
  /** Codes that have not been exchanged yet. */
  deleteCodes(filter: { userId?: string; clientId?: string }): Promise<void>;
  listConsents(userId: string): Promise<Consent[]>;
  getConsent(userId: string, clientId: string): Promise<string | undefined>;
  setConsent(userId: string, clientId: string, scope: string, nowMs: number): Promise<void>;
  /** Of a user, at a client, or of a user at a client. */
  deleteConsents(filter: { userId?: string; clientId?: string }): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}

export interface Changes {
  get(kind: ChangeKind, key: string): Promise<Change | undefined>;
  put(change: Change): Promise<void>;
  /** Rows written at or after that instant; 0 reads all. */
  since(changedAtMs: number): Promise<Change[]>;
  deleteExpired(nowMs: number): Promise<void>;
}

export interface OneTimeValues {
  /** Remembers the key until it expires; false if it was already there. Shared by all nodes. */
  remember(key: string, expiresAtMs: number): Promise<boolean>;
  deleteExpired(nowMs: number): Promise<void>;
}

/** How much was taken of each limit, by all nodes together. */
export interface RateRows {
  /** Adds to each and returns the new totals. */
  add(taken: ReadonlyMap<string, number>, nowMs: number): Promise<Map<string, number>>;
  /** Postpones, by this many milliseconds each, the time at which a limit is full again. */
  putOff(byMs: ReadonlyMap<string, number>, nowMs: number): Promise<void>;
  /** When the limit is full again; undefined if nothing was taken from it. */
  wholeAtMs(key: string): Promise<number | undefined>;
  /** Drops rows that have not been touched since. */
  deleteIdle(beforeMs: number): Promise<void>;
}

/** Consecutive wrong passwords or codes. */
export interface FailureRow {
  failures: number;
  lastAtMs: number;
  /** The next attempt is accepted then, wherever it comes from. */
  freeAtMs: number;
}

/** By a keyed hash of the account or object they were tried for; shared by all nodes. */
export interface Failures {
  get(key: string): Promise<FailureRow | undefined>;
  /** Locks the row until the transaction ends; creates it if there is none. */
  hold(key: string, nowMs: number): Promise<FailureRow>;
  /** For an existing row. */
  put(key: string, row: FailureRow): Promise<void>;
  clear(key: string): Promise<void>;
  /** Drops rows without a recent attempt, and the oldest if there are more than `rowsMax`. */
  deleteIdle(beforeMs: number, rowsMax: number): Promise<void>;
}

/** What each server of this database reports about itself, for the others to read. */
export interface ServerNotes {
  write(serverId: string, note: string): Promise<void>;
  list(): Promise<{ serverId: string; note: string }[]>;
  remove(serverId: string): Promise<void>;
}

/** Links people to their identity at the company's identity provider. */
export interface Identities {
  /** Returns the user ID. */
  find(issuer: string, subject: string): Promise<string | undefined>;
  /** Users with an identity: all, or whether this one is among them. */
  holders(userId?: string): Promise<ReadonlySet<string>>;
  insert(identity: { issuer: string; subject: string; userId: string; createdAtMs: number }): Promise<void>;
  deleteOfUser(userId: string): Promise<void>;
}

export interface Passkeys {
  /** Oldest first. */
  listPasskeys(userId: string): Promise<Passkey[]>;
  getPasskey(credentialId: string): Promise<Passkey | undefined>;
  insertPasskey(passkey: Passkey): Promise<void>;
  /** False if the user has no such passkey; likewise for `deletePasskey`. */
  renamePasskey(userId: string, credentialId: string, name: string): Promise<boolean>;
  deletePasskey(userId: string, credentialId: string): Promise<boolean>;
  /** Records the use; false if the counter has not increased although the passkey counts. */
  usePasskey(credentialId: string, counter: number, nowMs: number): Promise<boolean>;
}

/** What people prove in addition to their password, or instead of it. */
export interface Factors extends Passkeys {
  getTotp(userId: string): Promise<StoredTotp | undefined>;
  /** Replaces an earlier one. */
  putTotp(totp: StoredTotp): Promise<void>;
  deleteTotp(userId: string): Promise<void>;
  /** False if this step or a later one was used before: no code works twice, on any node. */
  useTotpStep(userId: string, step: number): Promise<boolean>;
  /** Replaces all earlier ones. */
  setRecoveryCodes(userId: string, hashes: readonly string[], nowMs: number): Promise<void>;
  countRecoveryCodes(userId: string): Promise<number>;
  recoveryCodeHashes(userId: string): Promise<string[]>;
  /** Uses up the code; false if there is none like it. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>;
  /** Locks the person's sign-in data until the transaction ends. */
  holdUser(userId: string): Promise<void>;
  /** Everybody who has a second factor, or this person if they have one. */
  holders(userId?: string): Promise<ReadonlySet<string>>;
  deleteOfUser(userId: string): Promise<void>;
}

export interface AuthSettingsRows {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

export interface AuthRepositories {
  users: Users;
  applications: Applications;
  environments: Environments;
  clients: Clients;
  signingKeys: SigningKeyRows;
  grants: Grants;
  changes: Changes;
  oneTime: OneTimeValues;
  rates: RateRows;
  failures: Failures;
  identities: Identities;
  factors: Factors;
  settings: AuthSettingsRows;
  servers: ServerNotes;
}

/** One line of the audit trail: who did what to which thing. Never holds a secret, a hash or a token. */
export interface AuthAuditEntry {
  /** For example `client.create`. */
  action: AuditAct;
  actor: { subject: string; clientId: string; userId: string | undefined };
  target: { type: 'user' | 'application' | 'environment' | 'client' | 'signing-key' | 'token'; id: string };
  /** Tenants the change concerns, when it concerns any. */
  tenants: readonly string[];
  requestId: string;
  atMs: number;
  detail?: AuditDetail;
}

export type AuditFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

interface AuthAudit {
  append(entry: AuthAuditEntry): Promise<void>;
}

/** The write side: state and its audit record commit together. */
export interface AuthTransaction extends AuthRepositories {
  audit: AuthAudit;
  /** Runs once the transaction is durable; never when it is rolled back. Must not throw. */
  afterCommit(hook: () => void): void;
}

export interface AuthStore {
  /** Outside a transaction; for reads and for single writes that need no audit record. */
  direct: AuthRepositories;
  transaction<T>(work: (tx: AuthTransaction) => Promise<T>): Promise<T>;
}

/** Encryption at rest for one kind of secret (private signing keys, for one); the ID ties the result to its row. */
export interface KeySealer {
  seal(plaintext: Uint8Array, id: string): Promise<Uint8Array>;
  open(sealed: Uint8Array, id: string): Promise<Uint8Array>;
}

/** A runtime event of one application, for the log service. Never holds a secret or a token. */
export interface AuthEvent {
  type:
    | 'token.issued'
    | 'token.refused'
    | 'token.revoked'
    | 'sign-in.succeeded'
    | 'sign-in.failed'
    | 'bearer.refused'
    /** Somebody answered whether an application may act for them. */
    | 'consent.granted'
    | 'consent.denied'
    /** Somebody whom the identity provider no longer admits lost everything they had open. */
    | 'access.ended'
    | 'authentications.suppressed';
  appId: string | undefined;
  clientId: string | undefined;
  scope: string | undefined;
  /** The person, if one is known; a name that somebody typed is never kept, since it might be a password. */
  userId?: string | undefined;
  /** How they authenticated, or tried to: `secret`, `password`, `passkey`. */
  method?: string | undefined;
  /** OAuth error code of a refusal. */
  error?: string;
  /** What exactly was wrong, for the operator; callers are not told. */
  reason?: string | undefined;
  jti?: string | undefined;
  address?: string;
  requestId?: string | undefined;
  traceId?: string | undefined;
  /** The path that refused a client, if it was not the token endpoint. */
  endpoint?: string;
  /** The client did not authenticate, so the event counts as a stranger's. */
  isClaimed?: boolean;
  /** Number of suppressed events. */
  count?: number;
}

/** Fire and forget: the sink buffers, and must never throw. */
export interface AuthEvents {
  record(event: AuthEvent, atMs: number): void;
}
