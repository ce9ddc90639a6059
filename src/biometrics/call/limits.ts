// Length limits of what callers send, and the checks that name the field. All errors of one request are collected, and
// reported together with those of the context when it is opened.
import { idFault, missingField, ownIdRule, type FieldFault } from '../../errors.js';
import type { CustomData } from '../model/outcome.js';
import { say } from '../../words/server/say.js';

export const ID_LENGTH_MAX = ownIdRule.lengthMax;
export const SHORT_TEXT_LENGTH_MAX = 64;
const TEXT_LENGTH_MAX = 1024;
const CUSTOM_PAIRS_MAX = 32;
const CUSTOM_KEY_LENGTH_MAX = 64;
const CUSTOM_VALUE_LENGTH_MAX = 256;
/** Of lists that name entities, after duplicates are removed. */
export const LIST_LENGTH_MAX = 10_000;

export class Faults {
  readonly #faults: FieldFault[] = [];

  add(fault: FieldFault): this {
    this.#faults.push(fault);
    return this;
  }

  /** An identifier of the caller's own. */
  id(field: string, value: string | undefined): this {
    const fault = idFault(field, value ?? '');
    return fault ? this.add(fault) : this;
  }

  required(field: string, value: unknown): this {
    return value === undefined || value === '' ? this.add(missingField(field)) : this;
  }

  text(field: string, value: string | undefined, lengthMax = TEXT_LENGTH_MAX): this {
    if (value !== undefined && value.length > lengthMax)
      this.add({ field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: lengthMax }) });
    return this;
  }

  customData(field: string, data: CustomData | undefined): this {
    const pairs = Object.entries(data ?? {});
    if (pairs.length > CUSTOM_PAIRS_MAX)
      this.add({ field, violation: 'TOO_LONG', ...say('TOO_MANY_ENTRIES', { max: CUSTOM_PAIRS_MAX }) });
    for (const [key, value] of pairs) {
      if (key.length === 0 || key.length > CUSTOM_KEY_LENGTH_MAX) {
        this.add({
          field: `${field}.${key.slice(0, 20)}`,
          violation: 'TOO_LONG',
          ...say('KEY_LENGTH', { max: CUSTOM_KEY_LENGTH_MAX }),
        });
      }
      this.text(`${field}.${key.slice(0, 20)}`, value, CUSTOM_VALUE_LENGTH_MAX);
    }
    return this;
  }

  /** The faults found so far, to be passed on when the context is opened. */
  get found(): readonly FieldFault[] {
    return this.#faults;
  }
}
