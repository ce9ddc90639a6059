// Turns a shell sample into a request that can be sent, and fills its variables from earlier answers.

export interface SampleRequest {
  method: string;
  /** Path and query. */
  address: string;
  body?: string;
}

/** Variables by name, such as GK_SCOPE_ID. */
export type Known = Map<string, string>;

export function requestOf(curl: string): SampleRequest {
  const [, method = 'GET', address = '/'] = /^curl(?: -X ([A-Z]+))? "\$VOXGATE([^"]*)"/.exec(curl) ?? [];
  const body = /<<JSON\n([\s\S]*)\nJSON$/.exec(curl)?.[1];
  return { method, address, ...(body !== undefined && { body }) };
}

/** Variables that are not known stay as they are, for the reader to fill in. */
export function fillIn(text: string, known: Known): string {
  return text.replace(/\$\{?([A-Z_]+)\}?/g, (all, name: string) => known.get(name) ?? all);
}

/** Remembers the identifiers in an answer: the first of each name, at any depth. */
export function learn(answer: unknown, known: Known): void {
  const found: Known = new Map();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        const id = (inner as { value?: unknown } | null)?.value;
        const isNew = /Id$/.test(name) && typeof id === 'string' && !found.has(variable(name));
        if (isNew) found.set(variable(name), id);
        visit(inner);
      }
  };
  visit(answer);
  for (const [name, id] of found) known.set(name, id);
}

/** For example gkScopeId becomes GK_SCOPE_ID. */
const variable = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
