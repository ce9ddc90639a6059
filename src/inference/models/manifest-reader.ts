// Typed access to a JSON object that people may write by hand: every fault names the file and the field.
import { readFileSync } from 'node:fs';
import { isObject } from '../../errors.js';

export class ManifestReader {
  readonly where: string;
  readonly #values: Readonly<Record<string, unknown>>;

  private constructor(where: string, values: Readonly<Record<string, unknown>>) {
    this.where = where;
    this.#values = values;
  }

  static open(file: string): ManifestReader {
    let values: unknown;
    try {
      values = JSON.parse(readFileSync(file, 'utf8'));
    } catch (cause) {
      throw new Error(`${file}: cannot be read as JSON`, { cause });
    }
    return ManifestReader.#of(file, values);
  }

  static #of(where: string, values: unknown): ManifestReader {
    if (!isObject(values)) throw new Error(`${where}: must be an object`);
    return new ManifestReader(where, values);
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== null;
  }
  text(name: string): string {
    const value = this.#values[name];
    if (typeof value !== 'string' || value === '') throw this.#fault(name, 'must be a text');
    return value;
  }
  oneOf<T extends string>(name: string, words: readonly T[]): T {
    const word = words.find((each) => each === this.#values[name]);
    if (word === undefined) throw this.#fault(name, `must be one of ${words.join(', ')}`);
    return word;
  }
  /** Absent means no. */
  flag(name: string): boolean {
    const value = this.#values[name] ?? false;
    if (typeof value !== 'boolean') throw this.#fault(name, 'must be true or false');
    return value;
  }
  number(name: string): number {
    const value = this.#values[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.#fault(name, 'must be a number');
    return value;
  }
  positive(name: string): number {
    const value = this.number(name);
    if (value <= 0) throw this.#fault(name, 'must be above 0');
    return value;
  }
  integer(name: string): number {
    const value = this.number(name);
    if (!Number.isInteger(value) || value < 0) throw this.#fault(name, 'must be a whole number');
    return value;
  }
  numbers(name: string, count: number): number[] {
    const value = this.#values[name];
    const good =
      Array.isArray(value) &&
      value.length === count &&
      value.every((item) => typeof item === 'number' && Number.isFinite(item));
    if (!good) throw this.#fault(name, `must be a list of ${count} numbers`);
    return value as number[];
  }
  exactly(name: string, wanted: unknown): void {
    if (this.#values[name] !== wanted) throw this.#fault(name, `must be ${JSON.stringify(wanted)}`);
  }
  child(name: string): ManifestReader {
    return ManifestReader.#of(`${this.where}: ${name}`, this.#values[name]);
  }
  children(name: string): ManifestReader[] {
    const value = this.#values[name];
    if (!Array.isArray(value)) throw this.#fault(name, 'must be a list');
    return value.map((item, index) => ManifestReader.#of(`${this.where}: ${name}[${index}]`, item));
  }
  #fault(name: string, what: string): Error {
    return new Error(`${this.where}: ${name} ${what}`);
  }
}
