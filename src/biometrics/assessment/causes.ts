// The checks that a headline rests on: what raised the alarm, or could not tell. Pure.
import type { Headline, HeadlineCause } from './model.js';
import { decidingChecks, isAttackCheck, lastOf, type Check } from './unresolved-checks.js';

/** `heard`: the checks of the caller, oldest first. */
export function causesOf(headline: Headline, heard: readonly Check[]): HeadlineCause[] {
  const all = decisive(headline, heard);
  const found = decidingChecks.flatMap((check) =>
    all
      .filter(({ kind }) => kind === check)
      .map(({ reason, unreliableFor = [] }): HeadlineCause => ({ check, reason, measures: unreliableFor })),
  );
  return [...new Map(found.map((cause) => [JSON.stringify(cause), cause])).values()];
}

function decisive(headline: Headline, heard: readonly Check[]): readonly Check[] {
  if (headline === 'FRAUD') return heard.filter(({ decision }) => decision === 'FRAUD');
  if (headline !== 'UNCERTAIN' && headline !== 'FAILED') return [];
  const open = [...lastOf(heard).values()].filter(({ decision }) => decision === headline);
  const comparisons = open.filter(({ kind }) => kind === 'AUTHENTICATION');
  // An open question of who it is stands before that of whether the voice is genuine.
  if (comparisons.length > 0) return comparisons;
  const attacks = open.filter(isAttackCheck);
  return attacks.length > 0 ? attacks : open;
}
