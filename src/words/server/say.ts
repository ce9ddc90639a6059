// A sentence of the catalogue with what stands in it: in English for the wire and for logs, and as code and parameters for whoever
// says it in another language.
import { filled } from '../fill.js';
import { english } from './english.js';

export type SaidCode = keyof typeof english;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never;
type NamesOf<Code extends SaidCode> = NamesIn<(typeof english)[Code]>;

/** What stands in a sentence; a sentence may contain another. */
type Parameter = string | number | Said;

export interface Said {
  readonly message: string;
  /** Undefined of what is said in English only. */
  readonly code: SaidCode | undefined;
  readonly parameters?: Readonly<Record<string, Parameter>>;
}

export function say<Code extends SaidCode>(
  code: Code,
  ...[parameters]: [NamesOf<Code>] extends [never] ? [] : [Readonly<Record<NamesOf<Code>, Parameter>>]
): Said {
  const template: string = english[code];
  if (parameters === undefined) return { message: template, code };
  const said: Readonly<Record<string, Parameter>> = parameters;
  return { message: filled(template, (name) => plain(said[name])), code, parameters: said };
}

/** For programs and their makers: what no page shows. */
export const inEnglish = (message: string): Said => ({ message, code: undefined });

const plain = (part: Parameter | undefined): string =>
  typeof part === 'object' ? part.message : String(part ?? '');
