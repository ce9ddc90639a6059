// Fairness on the tenant's own prints. The groups come from what the tenant says about its people (gender, language, or a
// member of their custom data), or from the kind of line that was measured. Only counts and rates leave here, never who
// belongs to which group.
import type { FieldFault } from '../../errors.js';
import { fairnessOf, type Fairness } from '../../voice/evaluation/fairness.js';
import { oneSpelling } from '../../voice/evaluation/spellings.js';
import type { Party } from '../model/entities.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { OwnTrial } from './own-trials.js';
import { say } from '../../words/server/say.js';

/** Each grouping is another pass over all trials. */
const GROUPINGS_MAX = 5;
const PARTIES_AT_ONCE = 500;
const CUSTOM = 'custom_data.';
/** A property of the recording, not of the person: `narrow` for telephones, `wide`. */
const LINE = 'line';

/** How a grouping reads its label. */
function labelReader(by: string): ((party: Party) => string | undefined) | undefined {
  if (by === 'gender') return ({ details }) => details.gender;
  if (by === 'language') return ({ details }) => details.preferredLanguage;
  const member = by.startsWith(CUSTOM) ? by.slice(CUSTOM.length) : '';
  return member === '' ? undefined : ({ details }) => details.customData[member];
}

export function groupingFaults(groupBy: readonly string[]): FieldFault[] {
  const faults: FieldFault[] = [];
  if (groupBy.length > GROUPINGS_MAX)
    faults.push({
      field: 'group_by',
      violation: 'TOO_LONG',
      ...say('TOO_MANY_GROUPINGS', { max: GROUPINGS_MAX }),
    });
  for (const [index, by] of groupBy.entries()) {
    if (by !== LINE && !labelReader(by))
      faults.push({
        field: `group_by[${index}]`,
        violation: 'INVALID_FORMAT',
        ...say('NOT_A_GROUPING', { line: LINE, member: CUSTOM }),
        value: by.slice(0, 64),
      });
  }
  return faults;
}

export async function fairnessByGroup(
  deps: BiometricsDeps,
  gkScopeId: string,
  trials: readonly OwnTrial[],
  { groupBy, ...at }: { groupBy: readonly string[] } & Parameters<typeof fairnessOf>[2],
): Promise<Fairness[]> {
  if (groupBy.length === 0) return [];
  const owners = await partiesOf(deps, gkScopeId, [
    ...new Set(trials.flatMap((trial) => trial.groups ?? [])),
  ]);
  const reports: Fairness[] = [];
  for (const by of groupBy) {
    const read = labelReader(by);
    const spelledAlike = oneSpelling();
    const labels = new Map(
      owners.map((party) => [party.gkId, spelledAlike(read?.(party)?.trim() ?? '') || undefined]),
    );
    const labelAt = (trial: OwnTrial, side: 0 | 1): string | undefined =>
      by === LINE ? trial.lines?.[side] : labels.get(trial.groups?.[side] ?? '');
    const labeled = trials.map((trial) => ({
      ...trial,
      labels: [labelAt(trial, 0), labelAt(trial, 1)] as const,
    }));
    reports.push(await fairnessOf(by, labeled, at));
  }
  return reports;
}

/** Oldest first, so that their spelling does not change from one report to the next. */
async function partiesOf(
  deps: BiometricsDeps,
  gkScopeId: string,
  gkIds: readonly string[],
): Promise<Party[]> {
  const found: Party[] = [];
  for (let at = 0; at < gkIds.length; at += PARTIES_AT_ONCE)
    found.push(...(await deps.store.read.parties.findMany(gkScopeId, gkIds.slice(at, at + PARTIES_AT_ONCE))));
  return found.sort((a, b) => a.createdAtMs - b.createdAtMs || (a.gkId < b.gkId ? -1 : 1));
}
