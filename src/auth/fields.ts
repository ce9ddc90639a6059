// Checks of single values that the management operations share.
import type { FieldFault } from '../errors.js';

const NAME_LENGTH_MAX = 128;

/** A name that people read: not empty, not endless, no control characters. */
export function displayNameFault(field: string, value: string): FieldFault | undefined {
  if (value.trim() === '') return { field, violation: 'MANDATORY_FIELD_MISSING', message: 'is mandatory' };
  if (value.length > NAME_LENGTH_MAX) {
    return { field, violation: 'TOO_LONG', message: `must have at most ${NAME_LENGTH_MAX} characters` };
  }
  if (/[\u0000-\u001f\u007f]/.test(value)) {
    return { field, violation: 'INVALID_FORMAT', message: 'must not contain control characters' };
  }
  return undefined;
}

/** An identifier given by the caller: printable ASCII without spaces, at most 128 characters. */
export function identifierFault(field: string, value: string): FieldFault | undefined {
  if (/^[\x21-\x7e]{1,128}$/.test(value)) return undefined;
  return {
    field,
    violation: 'INVALID_FORMAT',
    message: 'must be 1 to 128 printable characters without spaces',
  };
}

export function listFaults(
  field: string,
  values: readonly string[],
  max: number,
  each: (field: string, value: string) => FieldFault | undefined,
): Array<FieldFault | undefined> {
  if (values.length > max)
    return [{ field, violation: 'TOO_LONG', message: `must have at most ${max} entries` }];
  return values.map((value, index) => each(`${field}[${index}]`, value));
}
