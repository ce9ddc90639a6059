// How a request of the contract becomes a path, a query and a body: the rule of its operation says where each member
// goes.

/** Puts a request into `GET /v1/x/{gkPersonId.value}`: path first, then query or body as the verb has it. */
export function bind(rule: string, request: object): { verb: string; path: string; body?: string } {
  const [verb = 'GET', template = ''] = rule.split(' ');
  const inPath = new Set<string>();
  const path = template.replace(/\{([^}]+)\}/g, (_all, name: string) => {
    inPath.add(name);
    return segment(name, textAt(request, name));
  });
  if (verb === 'GET' || verb === 'DELETE') return { verb, path: path + queryText(request, inPath) };
  // A member that is in the path as a whole need not be said twice.
  const rest = Object.entries(request).filter(([name]) => !inPath.has(name));
  return { verb, path, body: JSON.stringify(Object.fromEntries(rest)) };
}

/** Whoever sends an address takes these out of it, however they are written, and would call another operation. */
function segment(name: string, value: string): string {
  if (value === '.' || value === '..') throw new RangeError(`${name} must not be ${value}`);
  return encodeURIComponent(value);
}

function textAt(request: object, name: string): string {
  let value: unknown = request;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return String(value ?? '');
}

/** Nested members become dotted query parameters: `context.gkScopeId.value=…`. */
function queryText(request: object, inPath: ReadonlySet<string>): string {
  const params = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null || value === '' || inPath.has(name)) return;
    if (Array.isArray(value)) for (const item of value) add(name, item);
    else if (typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, inner);
    else params.append(name, String(value));
  };
  add('', request);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
