// Who a print belongs to: named by internal or own ID, a person or a fraudster, with the tag that tells the
// owner's prints apart.
import { invalidFields, missingField, notFound, type FieldFault } from '../../errors.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Party, PartyKind } from '../model/entities.js';
import { gkIdField, idField } from '../entities/party-rules.js';

export interface OwnerAndTag {
  kind: PartyKind;
  /** Either of the two; the internal one wins. */
  gkId?: string;
  externalId?: string;
  tag: string;
}

/** Faults of the owner member itself; `path` is where it sits in the request. */
export function ownerFaults(owner: OwnerAndTag | undefined, path: string): FieldFault[] {
  if (!owner || (!owner.gkId && !owner.externalId)) return [missingField(path)];
  return [];
}

export async function findOwner(
  deps: BiometricsDeps,
  gkScopeId: string,
  owner: OwnerAndTag | undefined,
  path: string,
): Promise<Party> {
  const faults = ownerFaults(owner, path);
  if (faults.length > 0 || !owner) throw invalidFields(faults);
  const { parties } = deps.store.read;
  const party = owner.gkId
    ? await parties.find(gkScopeId, owner.kind, owner.gkId)
    : await parties.findByExternalId(gkScopeId, owner.kind, owner.externalId ?? '');
  if (!party)
    throw notFound(
      owner.kind.toLowerCase(),
      `${path}.${owner.gkId ? gkIdField(owner.kind) : idField(owner.kind)}`,
    );
  return party;
}
