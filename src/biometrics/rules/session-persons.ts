// Whom a session is about, derived from what ran in it: programs that name a voiceprint need not say whose it is, but analysts
// still look for the person.
import type { ComparedVoice } from '../model/compared-voices.js';
import type { Factor, SessionPerson, SessionPersonRole } from '../model/sessions.js';
import { isOfCaller } from './heard-channel.js';

/**
 * What a factor says about the owner of its print; undefined if the print was only the nearest of several.
 */
function roleIn({
  kind,
  decision,
  prints = 0,
}: Pick<Factor, 'kind' | 'decision' | 'prints'>): SessionPersonRole | undefined {
  if (kind === 'ENROLLMENT') return 'ENROLLED';
  if (kind !== 'AUTHENTICATION') return undefined;
  if (prints <= 1) return 'VERIFIED';
  return decision === 'AUTHENTIC' ? 'RECOGNIZED' : undefined;
}

/** A known fraudster was recognized. */
export const isFraudsterHit = ({ kind, decision }: Pick<Factor, 'kind' | 'decision'>): boolean =>
  kind === 'FRAUD_DETECTION' && decision === 'FRAUD';

/** Each recognized fraudster once, in order; one who was only the nearest was not recognized. */
export function fraudstersIn(
  factors: readonly Factor[],
  ownerOf: ReadonlyMap<string, string>,
): readonly string[] {
  const found = factors
    .filter(isFraudsterHit)
    .flatMap(({ gkVoiceprintProfileId = '' }) => ownerOf.get(gkVoiceprintProfileId) ?? []);
  return [...new Set(found)];
}

/** Each enrolled fraudster once. */
export function enrolledFraudstersIn(
  factors: readonly Factor[],
  ownerOf: ReadonlyMap<string, string>,
): readonly string[] {
  const enrolled = factors.flatMap(({ kind, gkVoiceprintProfileId = '' }) =>
    kind === 'ENROLLMENT' ? (ownerOf.get(gkVoiceprintProfileId) ?? []) : [],
  );
  return [...new Set(enrolled)];
}

/** Comparisons with persons, oldest first, without those in which there was nothing to compare with. */
export function voicesIn(
  factors: readonly Factor[],
  ownerOf: ReadonlyMap<string, string>,
): readonly ComparedVoice[] {
  return factors.flatMap((factor): ComparedVoice[] => {
    const { kind, decision, prints = 0, gkVoiceprintProfileId: print = '', hasClaimed, channel } = factor;
    const isMatch = decision === 'AUTHENTIC';
    const isUnlike = decision === 'NO_MATCH' || decision === 'FRAUD';
    // Without a compared print there was none; a missing print belonged to somebody whose data was erased.
    if (kind !== 'AUTHENTICATION' || (print === '' && !isMatch && !isUnlike)) return [];
    const isOne = prints <= 1;
    return [
      {
        person: isOne || isMatch ? (ownerOf.get(print) ?? '') : '',
        isOne,
        end: isMatch ? 'MATCHED' : isUnlike ? 'NO_MATCH' : 'UNDECIDED',
        ...(hasClaimed !== undefined && { hasClaimed }),
        ...(channel && { channel }),
      },
    ];
  });
}

/** Each person once per role, in order; those on an agent's channel separately. */
export function personsIn(
  factors: readonly Factor[],
  ownerOf: ReadonlyMap<string, string>,
): readonly SessionPerson[] {
  const persons = new Map<string, SessionPerson>();
  for (const factor of factors) {
    const role = roleIn(factor);
    const { kind, decision, gkVoiceprintProfileId = '' } = factor;
    const gkPersonId = ownerOf.get(gkVoiceprintProfileId);
    if (!role || !gkPersonId) continue;
    const isAgent = !isOfCaller(factor);
    const isMatch = kind === 'AUTHENTICATION' && decision === 'AUTHENTIC';
    const isMismatch = role === 'VERIFIED' && (decision === 'NO_MATCH' || decision === 'FRAUD');
    const key = `${role} ${gkPersonId} ${isAgent}`;
    const known = persons.get(key);
    persons.set(key, {
      gkPersonId,
      role,
      ...((isMatch || known?.isMatch) && { isMatch: true }),
      ...((isMismatch || known?.isMismatch) && { isMismatch: true }),
      ...(isAgent && { isAgent }),
      gkVoiceprintProfileIds: [...new Set([...(known?.gkVoiceprintProfileIds ?? []), gkVoiceprintProfileId])],
    });
  }
  return [...persons.values()];
}
