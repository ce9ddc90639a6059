// Checks shared by the operations that set the contact center model.
import { idFault, missingField, type FieldFault, type IdRule } from '../errors.js';
import { isTimeZone } from './local-time.js';
import { say } from '../words/server/say.js';

const NAME_LENGTH_MAX = 128;

export type Fault = FieldFault | undefined;

/** Chosen by the operator; it travels in URLs and in tokens. */
const placeIdRule: IdRule = {
  lengthMax: 64,
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
  said: say('NOT_A_PLACE_ID'),
};

export const placeIdFault = (field: string, value: string): Fault => idFault(field, value, placeIdRule);

export function digitsFault(field: string, value: string): Fault {
  if (value === '') return missingField(field);
  if (/^(0|[1-9][0-9]{0,17})$/.test(value)) return undefined;
  return { field, violation: 'INVALID_FORMAT', ...say('NOT_DIGITS') };
}

export function nameFault(field: string, value: string): Fault {
  if (value.length > NAME_LENGTH_MAX)
    return { field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: NAME_LENGTH_MAX }) };
  if (/[\u0000-\u001f\u007f]/.test(value))
    return { field, violation: 'INVALID_FORMAT', ...say('CONTROL_CHARACTERS') };
  return undefined;
}

export function rangeFault(field: string, value: number, min: number, max: number): Fault {
  if (Number.isInteger(value) && value >= min && value <= max) return undefined;
  return { field, violation: 'OUT_OF_RANGE', ...say('OUT_OF_RANGE', { min, max }) };
}

export function lengthFault(field: string, length: number, max: number): Fault {
  return length <= max ? undefined : { field, violation: 'TOO_LONG', ...say('TOO_MANY_ENTRIES', { max }) };
}

export function timeZoneFault(field: string, value: string): Fault {
  if (isTimeZone(value)) return undefined;
  return {
    field,
    violation: 'INVALID_FORMAT',
    ...say('NOT_A_TIME_ZONE'),
    value: value.slice(0, 64),
  };
}

export function noSuch(field: string, what: string): FieldFault {
  return { field, violation: 'OTHER', ...say('NO_SUCH', { what }) };
}
