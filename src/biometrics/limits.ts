// Length limits of what callers give us, and the checks that name the field. All faults of one request are
// collected and thrown together.
import { invalidFields, missingField, type FieldFault } from '../errors.js';
import type { CustomData } from './outcome.js';

export const idLengthMax = 128;
export const shortTextLengthMax = 64;
export const textLengthMax = 1024;
export const customPairsMax = 32;
export const customKeyLengthMax = 64;
export const customValueLengthMax = 256;
export const listLengthMax = 1000;

export class Faults {
  readonly #faults: FieldFault[] = [];

  add(fault: FieldFault): this {
    this.#faults.push(fault);
    return this;
  }

  /** A caller-given identifier: mandatory, printable, bounded. */
  id(field: string, value: string | undefined): this {
    if (!value) return this.add(missingField(field));
    this.text(field, value, idLengthMax);
    if (/[\u0000-\u001f\u007f]/.test(value))
      this.add({ field, violation: 'INVALID_FORMAT', message: 'must not hold control characters' });
    if (value !== value.trim())
      this.add({ field, violation: 'INVALID_FORMAT', message: 'must not begin or end with white space' });
    return this;
  }

  required(field: string, value: unknown): this {
    return value === undefined || value === '' ? this.add(missingField(field)) : this;
  }

  text(field: string, value: string | undefined, lengthMax = textLengthMax): this {
    if (value !== undefined && value.length > lengthMax)
      this.add({ field, violation: 'TOO_LONG', message: `must have at most ${lengthMax} characters` });
    return this;
  }

  customData(field: string, data: CustomData | undefined): this {
    const pairs = Object.entries(data ?? {});
    if (pairs.length > customPairsMax)
      this.add({ field, violation: 'TOO_LONG', message: `must have at most ${customPairsMax} entries` });
    for (const [key, value] of pairs) {
      if (key.length === 0 || key.length > customKeyLengthMax) {
        this.add({
          field: `${field}.${key.slice(0, 20)}`,
          violation: 'TOO_LONG',
          message: `keys must have 1 to ${customKeyLengthMax} characters`,
        });
      }
      this.text(`${field}.${key.slice(0, 20)}`, value, customValueLengthMax);
    }
    return this;
  }

  throwIfAny(): void {
    if (this.#faults.length > 0) throw invalidFields(this.#faults);
  }
}
