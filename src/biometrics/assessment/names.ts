// The names of everybody whom assessments are about, whether they still exist, were deleted or were erased.
import type { AuditReader } from '../../audit/ports.js';
import type { Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { nameOf } from '../rules/name-of.js';
import { claimedNames } from '../sessions/claimed-names.js';
import type { AssessedParty, Assessment, FoundLater } from './model.js';

interface PartyName {
  /** Chosen by the caller; empty if it is not known any more. */
  id: string;
  name: string;
  state: 'KNOWN' | 'DELETED' | 'ERASED';
}

export type NamedParty = AssessedParty & PartyName;

/** As the API tells it. */
export interface NamedAssessment extends Omit<Assessment, 'whoCalled' | 'inheritedFrom' | 'foundLater'> {
  whoCalled: readonly NamedParty[];
  inheritedFrom?: { gkSessionId: string; whoCalled: readonly NamedParty[] };
  foundLater: readonly (Omit<FoundLater, 'gkFraudsterId'> & { fraudster?: NamedParty })[];
}

export interface NamingDeps extends BiometricsDeps {
  audit: AuditReader;
}

export interface Told {
  /** Fraudsters whom only searches through stored calls found, for callers who may search: for others, somebody was found. */
  bySearches: boolean;
}

const erasedParty: PartyName = { id: '', name: '', state: 'ERASED' };

export async function withNames(
  deps: NamingDeps,
  gkScopeId: string,
  sessions: readonly Session[],
  assessments: ReadonlyMap<string, Assessment>,
  { bySearches }: Told,
): Promise<Map<string, NamedAssessment>> {
  const all = [...assessments.values()];
  const names = await namesOf(deps, gkScopeId, [...new Set(all.flatMap(idsIn))]);
  // Batch lines claim people whom nobody knows by that name.
  const claimed = await claimedNames(deps, gkScopeId, sessions);
  const result = new Map<string, NamedAssessment>();
  for (const { gkSessionId, isClaimErased } of sessions) {
    const assessment = assessments.get(gkSessionId);
    if (!assessment) continue;
    const named = (party: AssessedParty): NamedParty => {
      const isUnknown = party.isClaimed === true && party.gkId === '' && !isClaimErased;
      const unknown: PartyName = { id: claimed.get(gkSessionId) ?? '', name: '', state: 'KNOWN' };
      return { ...party, ...(isUnknown ? unknown : (names.get(party.gkId) ?? erasedParty)) };
    };
    const { whoCalled, inheritedFrom, foundLater, ...rest } = assessment;
    result.set(gkSessionId, {
      ...rest,
      whoCalled: whoCalled.map(named),
      ...(inheritedFrom && {
        inheritedFrom: { ...inheritedFrom, whoCalled: inheritedFrom.whoCalled.map(named) },
      }),
      foundLater: foundLater.map(({ gkFraudsterId, ...found }) => ({
        ...found,
        ...(gkFraudsterId &&
          (bySearches || !found.isBySearch) && {
            fraudster: named({ kind: 'FRAUDSTER', gkId: gkFraudsterId, result: foundResult(found) }),
          }),
      })),
    });
  }
  return result;
}

const foundResult = ({ check }: Pick<FoundLater, 'check'>): AssessedParty['result'] =>
  check === 'ENROLLMENT' ? 'ENROLLED' : 'MATCHED';

const idsIn = ({ whoCalled, inheritedFrom, foundLater }: Assessment): string[] =>
  [
    ...[...whoCalled, ...(inheritedFrom?.whoCalled ?? [])].map(({ gkId }) => gkId),
    ...foundLater.map(({ gkFraudsterId = '' }) => gkFraudsterId),
  ].filter(Boolean);

/** The names of deleted fraudsters are in the audit records of their deletion; those of persons are gone. */
async function namesOf(
  { audit, store: { read } }: NamingDeps,
  gkScopeId: string,
  gkIds: readonly string[],
): Promise<ReadonlyMap<string, PartyName>> {
  const parties = await read.parties.findMany(gkScopeId, gkIds);
  const names = new Map<string, PartyName>(
    parties.map((party) => [party.gkId, { id: party.externalId, name: nameOf(party), state: 'KNOWN' }]),
  );
  const missing = gkIds.filter((gkId) => !names.has(gkId));
  if (missing.length === 0) return names;
  const erased = await read.erasure.erasedPersons(missing);
  for (const gkId of missing)
    names.set(gkId, { id: '', name: '', state: erased.has(gkId) ? 'ERASED' : 'DELETED' });
  for (const { subjectId, personal } of await audit.personalAbout(gkScopeId, missing, ['DeleteFraudster'])) {
    const { externalId } = personal as { externalId?: string };
    if (externalId) names.set(subjectId, { id: externalId, name: '', state: 'DELETED' });
  }
  return names;
}
