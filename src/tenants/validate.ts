// The rules for what callers may write into a tenant, apart from its identifier.
import type { FieldFault } from '../errors.js';
import type { TenantDetails } from './model.js';
import { say } from '../words/server/say.js';

const NAME_LENGTH_MAX = 256;
const DESCRIPTION_LENGTH_MAX = 2048;
const PERSONS_MAX = 1_000_000_000;

export const checkDetails = (details: Partial<TenantDetails>): FieldFault[] => textFaults(details, 'details');

/** `of` is the name of the message that they are in. */
export function textFaults(
  { customerName, description }: Partial<Pick<TenantDetails, 'customerName' | 'description'>>,
  of: string,
): FieldFault[] {
  return [
    ...checkText(customerName, `${of}.customer_name`, NAME_LENGTH_MAX),
    ...checkText(description, `${of}.description`, DESCRIPTION_LENGTH_MAX),
  ];
}

/** On create an int32 of 0 cannot be told from an absent one, so 0 is missing. */
export function checkExpectedPersons(value: number, field: string): FieldFault[] {
  if (value === 0) return [{ field, violation: 'MANDATORY_FIELD_MISSING', ...say('MANDATORY') }];
  if (!Number.isInteger(value) || value < 0 || value > PERSONS_MAX) {
    return [
      {
        field,
        violation: 'OUT_OF_RANGE',
        ...say('OUT_OF_RANGE', { min: 1, max: PERSONS_MAX }),
        value: String(value),
      },
    ];
  }
  return [];
}

function checkText(value: string | undefined, field: string, lengthMax: number): FieldFault[] {
  if (value === undefined) return [];
  if (value.length > lengthMax)
    return [{ field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: lengthMax }) }];
  if (value.includes('\u0000')) return [{ field, violation: 'INVALID_FORMAT', ...say('NUL_CHARACTER') }];
  return [];
}
