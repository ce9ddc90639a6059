// The one error type that crosses module boundaries. Expected outcomes (a bad voice sample, a full print) are values with a
// reason; an AppError means that the request itself cannot be served. Its set of codes is closed: src/transport/error-map.ts
// maps every code to a gRPC, HTTP and in-body status.
import { inEnglish, say, type Said } from './words/server/say.js';

export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'BAD_REQUEST'
  | 'INVALID_REQUEST'
  | 'CANCELLED_CLIENT'
  | 'CANCELLED_SERVER'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_AUTHORIZED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'NOT_IMPLEMENTED'
  | 'UNKNOWN'
  | 'TOO_LARGE'
  | 'BUSY'
  | 'IN_PROGRESS'
  | 'CONFLICT'
  | 'OBSOLETE'
  | 'RATE_EXCEEDED'
  | 'QUOTA_EXCEEDED'
  | 'INTERNAL_ERROR';

export type Violation =
  | 'MANDATORY_FIELD_MISSING'
  | 'FIELD_CONFLICT'
  | 'OUT_OF_RANGE'
  | 'INVALID_FORMAT'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'OTHER';

/** One wrong field. `field` is the dotted path inside the request, in proto names: `context.gk_scope_id`. */
export interface FieldFault extends Said {
  field: string;
  violation: Violation;
  /** The offending value, only where it is safe to repeat it to the caller. */
  value?: string;
}

/** All that a diagnostic can say; docs/reference/errors-and-reasons.md#diagnostic-codes explains each. */
export const diagnosticCodes = [
  // The request or the state of what it names.
  'BAD_CONFIGURATION',
  'CALIBRATION_ACTIVE',
  'CALIBRATION_INACTIVE',
  'CALIBRATION_INCOMPATIBLE',
  'CALIBRATION_INITIALIZING',
  'CALIBRATION_INVALID',
  'CALIBRATION_VALIDATED',
  'CALLERS_NOT_ALLOWED',
  'CHANGED_MEANWHILE',
  'TOO_FEW_CALLERS',
  'EMPTY_UPLOAD',
  'ENGAGEMENT_OVER',
  'FACTORY_MODEL',
  'IDEMPOTENCY_ANSWER_ERASED',
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
  'INSUFFICIENT_SCOPE',
  'INVALID_AUDIO',
  'LAST_CLIENT',
  'VOICE_SEARCH_NOT_ALLOWED',
  'MEDIA_ENROLLED',
  'MEDIA_LIVE',
  'MEDIA_NOT_UPLOADED',
  'MEDIA_ON_LEGAL_HOLD',
  'NOT_ENROLLED',
  'PERSON_OPTED_OUT',
  'PROMPT_OF_OTHER_PERSON',
  'PROMPT_OF_OTHER_SESSION',
  'PROMPT_UNKNOWN',
  'PROMPT_USED',
  'PROFILE_COOLING_OFF',
  'PROFILE_LOCKED',
  'PROFILE_NOT_TRAINED',
  'RECORDING_EMPTY',
  'RECORDING_NOT_ALLOWED',
  'RECORDING_NOT_AUDIO',
  'RECORDING_NOT_FOUND',
  'RECORDING_TOO_LARGE',
  'REVISION_ACTIVE',
  'ROLE_NOT_SUFFICIENT',
  'SESSION_OVER',
  'UNKNOWN_FIELDS_IGNORED',
  'VOICE_ALREADY_LISTED',
  // Why recordings give no print.
  'ALREADY_ADDED',
  'AUDIO_TOO_LOUD',
  'AUDIO_TOO_NOISY',
  'AUDIO_TOO_SHORT',
  'AUDIO_TOO_SOFT',
  'ENROLL_OK',
  'INCONSISTENCY',
  'INTERNAL_ERROR',
  'MISSING_MODEL',
  'MULTIPLE_SPEAKERS_DETECTED',
  'NOT_ENOUGH_SEGMENTS',
  'NOT_READY_TO_TRAIN',
  'PRINT_FULL',
  'TOO_SHORT',
  'TRAIN_OK',
  'WRONG_PRINT_TYPE',
  // What a decision rests on.
  'ATTACK_SPAN',
  'AUDIO_OUT_OF_BOUNDS',
  'CHECK_UNRELIABLE',
  'EXPERIMENTAL_CHECK',
  'HEADLINE_CAUSE',
  'LIVENESS_PROMPT',
  'PROMPT_EXPIRED',
  'PROMPT_WANTED',
  'VOICE_NO_MATCH',
  'WORDS_NO_MATCH',
  'MEMBERS_NOT_COMPARED',
  'SESSION_ASSESSMENT',
  'TENANT_ALARM_THRESHOLD',
  'PRINTS_NOT_TRAINED',
  'PRINT_DAMAGED',
  'TAG_NOT_FOUND',
  // The server, its database and its disks.
  'BLOB_DAMAGED',
  'BLOB_MISSING',
  'BYTES_IN_FLIGHT',
  'CLIENT_SHARE_USED',
  'COMMIT_UNKNOWN',
  'DATABASE_DAMAGED',
  'DATABASE_UNAVAILABLE',
  'DISK_FULL',
  'KEY_DESTROYED',
  'MASTER_KEY_MISSING',
  'MASTER_KEY_WRONG',
  'MEDIA_STORE_UNAVAILABLE',
  'READ_ONLY',
  'SEAL_BROKEN',
  'SHUTTING_DOWN',
  'TOO_MANY_FILES',
  'UPGRADE_IN_PROGRESS',
  // The access token.
  'missing',
  'invalid',
  'expired',
  'revoked',
  'dpop_required',
  'invalid_dpop_proof',
  'certificate_required',
] as const;
export type DiagnosticCode = (typeof diagnosticCodes)[number];

/** A machine-readable detail for programs that must tell two refusals apart, such as PROFILE_LOCKED. */
interface Diagnostic {
  code: DiagnosticCode;
  extras?: Record<string, string>;
}

export interface AppErrorDetail {
  fields?: readonly FieldFault[];
  retryAfterMs?: number;
  diagnostics?: readonly Diagnostic[];
  /** For logs only; never sent to a caller. */
  cause?: unknown;
}

/** Of these the console says something itself, or nobody reads them. */
type ToldByCode =
  | 'INTERNAL_ERROR'
  | 'NOT_FOUND'
  | 'BUSY'
  | 'RATE_EXCEEDED'
  | 'TOO_LARGE'
  | 'DEADLINE_EXCEEDED'
  | 'UNAUTHENTICATED'
  | 'BAD_REQUEST'
  | 'CANCELLED_CLIENT'
  | 'CANCELLED_SERVER'
  | 'UNKNOWN';

export class AppError extends Error {
  readonly code: ErrorCode;
  override readonly name = 'AppError';
  readonly said: Said;
  readonly fields: readonly FieldFault[];
  readonly retryAfterMs: number | undefined;
  readonly diagnostics: readonly Diagnostic[];

  constructor(code: ToldByCode, said: string | Said, detail?: AppErrorDetail);
  // The fields say it.
  constructor(
    code: ErrorCode,
    said: string | Said,
    detail: Required<Pick<AppErrorDetail, 'fields'>> & AppErrorDetail,
  );
  constructor(code: ErrorCode, said: Said, detail?: AppErrorDetail);
  constructor(code: ErrorCode, said: string | Said, detail: AppErrorDetail = {}) {
    const words = typeof said === 'string' ? inEnglish(said) : said;
    super(words.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.said = words;
    this.fields = detail.fields ?? [];
    this.retryAfterMs = detail.retryAfterMs;
    this.diagnostics = detail.diagnostics ?? [];
  }
}

/** INVALID_REQUEST for one or more wrong fields; the message repeats the first so that logs read well. */
export function invalidFields(fields: readonly FieldFault[]): AppError {
  const first = fields[0];
  const rest = fields.length > 1 ? ` (and ${fields.length - 1} more)` : '';
  return new AppError(
    'INVALID_REQUEST',
    first ? `${first.field}: ${first.message}${rest}` : 'invalid request',
    { fields },
  );
}

export const CHANGED_MEANWHILE = 'CHANGED_MEANWHILE';

/** The caller would overwrite what somebody else has written since the caller read it: nothing was changed. */
export function changedMeanwhile(fields: readonly string[], by?: string): AppError {
  const said = by === undefined ? say('CHANGED_MEANWHILE') : say('CHANGED_MEANWHILE_BY', { by });
  return new AppError('CONFLICT', `${fields.join(', ')} ${said.message}: nothing was saved`, {
    fields: fields.map((field) => ({ field, violation: 'FIELD_CONFLICT', ...said })),
    diagnostics: [{ code: CHANGED_MEANWHILE, ...(by !== undefined && { extras: { by } }) }],
  });
}

/** Refuses an input once, with every error that was found in it; undefined entries are ignored. */
export function refuseFaults(faults: ReadonlyArray<FieldFault | undefined>): void {
  const found = faults.filter((fault) => fault !== undefined);
  if (found.length > 0) throw invalidFields(found);
}

/** Diagnostic of every refusal that is owed to the database and not to the request. */
export const DATABASE_UNAVAILABLE = 'DATABASE_UNAVAILABLE';

const SHUTTING_DOWN = 'SHUTTING_DOWN';

/** For now only: another node, or this one after its restart, can do it. */
export const goingDown = (): AppError =>
  new AppError('BUSY', 'the server is shutting down: connect again', {
    retryAfterMs: 1000,
    diagnostics: [{ code: SHUTTING_DOWN }],
  });

export const isGoingDown = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.diagnostics.some(({ code }) => code === SHUTTING_DOWN);

/** Too much is requested at the moment: a retry will find room. */
export const isBusy = (thrown: unknown): boolean => thrown instanceof AppError && thrown.code === 'BUSY';

/** The database is unavailable; this has already been logged once by whoever monitors it. */
export function isOutage(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.diagnostics.some(({ code }) => code === DATABASE_UNAVAILABLE);
}

/** Diagnostic of an outage in the middle of a commit: the change may have been made. */
export const COMMIT_UNKNOWN = 'COMMIT_UNKNOWN';

/** What the change points to must stay, for it may be there. */
export const mayHaveBeenMade = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.diagnostics.some(({ code }) => code === COMMIT_UNKNOWN);

export function missingField(field: string): FieldFault {
  return { field, violation: 'MANDATORY_FIELD_MISSING', ...say('MANDATORY') };
}

/** None of several fields is there, of which a request needs one: named as one fault each, so that forms can mark them all. */
export function missingChoice(fields: readonly string[]): FieldFault[] {
  const said = say('ONE_OF_MANDATORY', { fields: fields.join(' or ') });
  return fields.map((field) => ({ ...missingField(field), ...said }));
}

/** How identifiers that callers choose may look. */
export interface IdRule {
  lengthMax: number;
  pattern: RegExp;
  /** What `pattern` asks for. */
  said: Said;
}

/** What people and their systems call things: all that can be read (docs/reference/voiceprint-management.md#identifiers). */
export const ownIdRule: IdRule = {
  lengthMax: 128,
  // Clients take the segments . and .. out of an address before they send it, and would name something else.
  pattern: /^(?!\.{1,2}$)(?![\s\p{Cf}])\P{Cc}*(?<![\s\p{Cf}])$/u,
  said: say('NOT_AN_IDENTIFIER'),
};

/** An identifier is mandatory wherever it is asked for. */
export function idFault(field: string, value: string, rule = ownIdRule): FieldFault | undefined {
  if (value === '') return missingField(field);
  if (value.length > rule.lengthMax)
    return { field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: rule.lengthMax }) };
  return rule.pattern.test(value) ? undefined : { field, violation: 'INVALID_FORMAT', ...rule.said };
}

/** What JSON of others has between braces: not null, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What was thrown, in words: anything can be thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function notFound(what: string, field?: string): AppError {
  const fields: FieldFault[] = field ? [{ field, violation: 'OTHER', ...say('NO_SUCH', { what }) }] : [];
  return new AppError('NOT_FOUND', say('NO_SUCH', { what }), { fields });
}

/** Refuses a tenant in which the caller may not act. */
export function requireTenant(
  caller: { tenants: readonly string[] | 'all'; deniedTenants?: readonly string[] },
  tenantId: string,
  field: string,
): void {
  if (caller.tenants === 'all' || caller.tenants.includes(tenantId)) return;
  if (caller.deniedTenants?.includes(tenantId)) {
    throw new AppError('PERMISSION_DENIED', 'your role in this tenant does not allow this operation', {
      fields: [{ field, violation: 'OTHER', ...say('ROLE_IN_TENANT') }],
      diagnostics: [{ code: 'ROLE_NOT_SUFFICIENT' }],
    });
  }
  // One answer for a tenant of somebody else and for one that does not exist: nobody can probe for tenants.
  throw new AppError('PERMISSION_DENIED', 'this client may not act in this tenant', {
    fields: [{ field, violation: 'OTHER', ...say('TENANT_NOT_GRANTED') }],
  });
}

/** Of longer names more letters may be wrong. */
const LETTERS_PER_MISTAKE = 5;

/** What was probably meant by an unknown name, if anything is close; `bare` returns the part of a name that is compared. */
export function nearestOf(
  name: string,
  known: readonly string[],
  bare: (name: string) => string,
): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(bare(name).length / LETTERS_PER_MISTAKE)) + 1;
  for (const candidate of known) {
    if (Math.abs(bare(candidate).length - bare(name).length) >= fewest) continue;
    const mistakes = mistakesBetween(bare(name), bare(candidate));
    if (mistakes < fewest) [nearest, fewest] = [candidate, mistakes];
  }
  return nearest;
}

/** How many letters are too many, missing or wrong; two that changed places are one mistake. */
function mistakesBetween(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === other;
      next.push(
        Math.min(
          (row[j] as number) + (letter === other ? 0 : 1),
          (row[j + 1] as number) + 1,
          (next[j] as number) + 1,
          isSwapped ? (before[j - 1] as number) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
