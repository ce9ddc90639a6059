// What an update changed, for its audit record: only the differences, before and after.
import type { AuditFacts } from './ports.js';

export function changesOf<F extends AuditFacts>(
  before: F,
  after: F,
): { before: Partial<F>; after: Partial<F> } {
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(before[name]);
  const changed = Object.entries(after).filter(isChanged);
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, before[name] ?? ''])) as Partial<F>,
    after: Object.fromEntries(changed) as Partial<F>,
  };
}
