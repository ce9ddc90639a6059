// Small translations that all management services share: times, masks, pages, mandatory fields, key sets.
import { isMessage } from '@bufbuild/protobuf';
import {
  FieldMaskSchema,
  timestampFromMs,
  timestampMs,
  type FieldMask,
  type Timestamp,
} from '@bufbuild/protobuf/wkt';
import type { PublicJwk } from '../../../auth/model.js';
import { AppError, invalidFields, missingField, refuseFaults } from '../../../errors.js';
import { say } from '../../../words/server/say.js';

/** Every management service is behind the tooling scope; who may do what: installation-access.ts, and the domains. */
export const managementAccess = { anyOf: ['platform-api'] };

export function time(ms: number | undefined): Timestamp | undefined {
  return ms === undefined ? undefined : timestampFromMs(ms);
}

export function msOf(timestamp: Timestamp | undefined): number | undefined {
  return timestamp && timestampMs(timestamp);
}

/** Spread into an init: absent times must be absent, not undefined. */
export function timeField<K extends string>(name: K, ms: number | undefined): { [P in K]?: Timestamp } {
  return (ms === undefined ? {} : { [name]: timestampFromMs(ms) }) as { [P in K]?: Timestamp };
}

/** Refuses a request that lacks one of these, naming all that are missing. 0 is an enum that was not set. */
export function requireFields(fields: Readonly<Record<string, string | number | object | undefined>>): void {
  refuseFaults(
    Object.entries(fields).map(([name, value]) => (isMissing(value) ? missingField(name) : undefined)),
  );
}

/**
 * As requireFields, but asks first whether the caller may do this with what the ID names: nobody else learns what their request lacks.
 * Without the ID there is nothing to ask about.
 */
export async function requireFieldsOf<T>(
  id: Readonly<Record<string, string>>,
  requirePermission: () => Promise<T>,
  fields: Parameters<typeof requireFields>[0] = {},
): Promise<T> {
  if (Object.values(id).some(isMissing)) requireFields({ ...id, ...fields });
  const allowed = await requirePermission();
  requireFields(fields);
  return allowed;
}

function isMissing(value: string | number | object | undefined): boolean {
  if (value === undefined || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && isMessage(value, FieldMaskSchema) && value.paths.length === 0;
}

/** The fields to change; a mask is mandatory (requireFields), and what it may name is closed. */
export function changedFields<F extends string>(
  mask: FieldMask | undefined,
  known: readonly F[],
): ReadonlySet<F> {
  const paths = mask?.paths ?? [];
  if (paths.includes('*')) return new Set(known);
  const unknownPath = paths.find((path) => !(known as readonly string[]).includes(path));
  if (unknownPath !== undefined) {
    throw invalidFields([
      {
        field: 'field_mask',
        violation: 'INVALID_FORMAT',
        ...say('NOT_ONE_OF', { known: known.join(', ') }),
        value: unknownPath.slice(0, 64),
      },
    ]);
  }
  return new Set(paths as F[]);
}

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1000;

/** One page of a list in a fixed order; the token is the ID of the last row handed out. */
export function page<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
): { rows: T[]; nextPageToken: string } {
  if (pageSize < 0 || pageSize > PAGE_SIZE_MAX) {
    throw invalidFields([
      {
        field: 'page_size',
        violation: 'OUT_OF_RANGE',
        ...say('OUT_OF_RANGE', { min: 0, max: PAGE_SIZE_MAX }),
      },
    ]);
  }
  const size = pageSize === 0 ? PAGE_SIZE_DEFAULT : pageSize;
  const before = pageToken === '' ? -1 : rows.findIndex((row) => idOf(row) === pageToken);
  if (pageToken !== '' && before < 0) {
    throw invalidFields([{ field: 'page_token', violation: 'INVALID_FORMAT', ...say('NO_LONGER_OF_LIST') }]);
  }
  const found = rows.slice(before + 1, before + 1 + size);
  const last = found.at(-1);
  return {
    rows: found,
    nextPageToken: last !== undefined && before + 1 + size < rows.length ? idOf(last) : '',
  };
}

/** The keys of a JWK set (RFC 7517 section 5), or of a bare array of keys; their content is the domain's to judge. */
export function readJwks(field: string, text: string): PublicJwk[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidFields([{ field, violation: 'INVALID_FORMAT', ...say('NOT_JSON') }]);
  }
  const keys = Array.isArray(value) ? value : (value as { keys?: unknown } | null)?.keys;
  if (
    !Array.isArray(keys) ||
    !keys.every((key) => typeof key === 'object' && key !== null && typeof key.kty === 'string')
  ) {
    throw invalidFields([{ field, violation: 'INVALID_FORMAT', ...say('NOT_A_JWK_SET') }]);
  }
  // A client without keys would be given a secret instead, which is not what was asked for.
  if (keys.length === 0) throw invalidFields([{ field, violation: 'OTHER', ...say('NO_KEYS') }]);
  return keys as PublicJwk[];
}

/** Runs work of a domain whose names for fields differ from those of the contract; faults come out in the latter. */
export async function inContractNames<T>(
  names: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.fields.length === 0) throw thrown;
    const fields = thrown.fields.map((fault) => ({
      ...fault,
      field: fault.field
        .split('.')
        .map((part) => part.replace(/^[^[]+/, (name) => names[name] ?? name))
        .join('.'),
    }));
    if (thrown.code === 'INVALID_REQUEST') throw invalidFields(fields);
    throw new AppError(thrown.code, thrown.said, {
      fields,
      diagnostics: thrown.diagnostics,
      cause: thrown,
    });
  }
}
