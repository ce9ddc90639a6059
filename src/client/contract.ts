// The operations of the contract as a caller sees them: by name, with the JSON of their requests and answers.
import type { Calls } from '../gen/calls.js';

/** Name of an operation, such as `ListPersons`. */
export type Method = keyof Calls;

/** JSON of the answer of an operation. */
export type AnswerOf<M extends Method> = Calls[M][1];

/** The JSON of a request, in which a member may also be present and undefined: such members are not sent. */
type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Sendable<T[K]> | undefined }
    : T;

/** JSON of the request of an operation. */
export type RequestOf<M extends Method> = Sendable<Calls[M][0]>;

/** An enumeration of the contract without the prefix that all its values share. */
export type WithoutPrefix<Name extends string, Prefix extends string> = Name extends `${Prefix}${infer Word}`
  ? Word
  : Name;

/** `DECISION_FRAUD` becomes `FRAUD`; what is absent becomes `UNSPECIFIED`. */
export function withoutPrefix<Name extends string, Prefix extends string>(
  name: Name | undefined,
  prefix: Prefix,
): WithoutPrefix<Name, Prefix> {
  const text: string = name ?? 'UNSPECIFIED';
  return (text.startsWith(prefix) ? text.slice(prefix.length) : text) as WithoutPrefix<Name, Prefix>;
}

/** `"3.500s"` as a number of seconds. */
export function secondsOf(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : Number.parseFloat(duration);
}

/** snake_case paths of violations, which begin with the name of the request, as paths into its JSON. */
export function pathInRequest(field: string): string {
  const parts = field.split('.');
  const type = parts.findLastIndex((part) => /^[A-Z]/.test(part));
  return parts
    .slice(type + 1)
    .map((part) => part.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase()))
    .join('.');
}
