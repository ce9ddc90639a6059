// Members of a request that no field has. They are ignored while the call succeeds, for clients may know more fields than this
// server; but if it is refused, a misspelt name is the likely cause, and the refusal says so.
import type { DescMessage } from '@bufbuild/protobuf';
import { AppError, nearestOf, type FieldFault } from '../errors.js';
import { inEnglish } from '../words/server/say.js';

/** The refusal, with the unknown fields of the request beside what it says already. */
export function namingUnknown(error: AppError, request: DescMessage, unknown: readonly string[]): AppError {
  if (error.code !== 'INVALID_REQUEST' || unknown.length === 0) return error;
  const faults = unknown.map((path) => faultOf(request, path));
  const message = [error.message, ...faults.map((fault) => fault.message)].join('; ');
  const { diagnostics, retryAfterMs } = error;
  return new AppError(error.code, message, {
    fields: [...error.fields, ...faults],
    diagnostics,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function faultOf(request: DescMessage, path: string): FieldFault {
  const meant = meantBy(request, path.split('.'));
  const question = meant ? `, did you mean ${meant}?` : '';
  return { field: path, violation: 'OTHER', ...inEnglish(`unknown field ${path}${question}`) };
}

/** The whole path of the nearest field, in proto names. */
function meantBy(
  desc: DescMessage,
  [name = '', ...rest]: readonly string[],
  before = '',
): string | undefined {
  const [bare = '', index = ''] = name.split(/(?=\[)/);
  const field = desc.fields.find((one) => one.name === bare || one.jsonName === bare);
  if (field?.message && rest.length > 0)
    return meantBy(field.message, rest, `${before}${field.name}${index}.`);
  const known = desc.fields.map((one) => one.name);
  const nearest = field ? undefined : nearestOf(bare, known, inOneSpelling);
  return nearest && before + nearest;
}

const inOneSpelling = (name: string): string => name.replaceAll('_', '').toLowerCase();
