// What another revision of a config set changes, for readers of the audit trail.
import type { JsonObject, JsonValue } from '../../audit/model.js';
import type { Parameters } from '../model/parameters.js';

/** Changed parameters, such as `authentication.falseAcceptRate`, before and after. */
export function changedParameters(
  former: Parameters,
  next: Parameters,
): { before: JsonObject; after: JsonObject } {
  const [were, are] = [flat(former), flat(next)];
  const changed = [...new Set([...were.keys(), ...are.keys()])]
    .filter((name) => JSON.stringify(were.get(name)) !== JSON.stringify(are.get(name)))
    .sort();
  const of = (values: ReadonlyMap<string, JsonValue>): JsonObject =>
    Object.fromEntries(changed.map((name) => [name, values.get(name) ?? null]));
  return { before: of(were), after: of(are) };
}

const flat = (parameters: Parameters): ReadonlyMap<string, JsonValue> =>
  new Map(
    Object.entries(parameters).flatMap(([section, values]) =>
      Object.entries(values as Readonly<Record<string, JsonValue>>).map(
        ([name, value]) => [`${section}.${name}`, value] as const,
      ),
    ),
  );
