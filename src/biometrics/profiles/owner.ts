// Whom a print belongs to: a person or a fraudster, named by internal or own ID, with the tag that distinguishes the owner's
// prints.
import {
  idFault,
  invalidFields,
  missingChoice,
  missingField,
  notFound,
  type AppError,
  type FieldFault,
} from '../../errors.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import type { Party, PartyKind } from '../model/entities.js';
import { gkIdField, idField } from '../entities/party-rules.js';

export interface OwnerAndTag {
  kind: PartyKind;
  /** Either of the two; the internal one wins. */
  gkId?: string;
  externalId?: string;
  tag: string;
}

const ownerMembers = (['PERSON', 'FRAUDSTER'] as const).flatMap((kind) => [gkIdField(kind), idField(kind)]);

/** Faults of the owner member itself; `path` is where it sits in the request. */
export function ownerFaults(owner: OwnerAndTag | undefined, path: string): FieldFault[] {
  const missing = () => missingChoice(ownerMembers.map((member) => `${path}.${member}`));
  if (!owner) return [missingField(path), ...missing()];
  if (!owner.gkId && !owner.externalId) return missing();
  if (owner.gkId) return owner.gkId.trim() === '' ? [missingField(`${path}.${gkIdField(owner.kind)}`)] : [];
  const fault = idFault(`${path}.${idField(owner.kind)}`, owner.externalId ?? '');
  return fault ? [fault] : [];
}

/** The owner, when there is one. */
export async function lookUpOwner(
  { parties }: Pick<Repositories, 'parties'>,
  gkScopeId: string,
  owner: OwnerAndTag,
): Promise<Party | undefined> {
  return owner.gkId
    ? parties.find(gkScopeId, owner.kind, owner.gkId)
    : parties.findByExternalId(gkScopeId, owner.kind, owner.externalId ?? '');
}

export async function findOwner(
  deps: BiometricsDeps,
  gkScopeId: string,
  owner: OwnerAndTag | undefined,
  path: string,
): Promise<Party> {
  const faults = ownerFaults(owner, path);
  if (faults.length > 0 || !owner) throw invalidFields(faults);
  const party = await lookUpOwner(deps.store.read, gkScopeId, owner);
  if (!party) throw noSuchOwner(owner, path);
  return party;
}

export function noSuchOwner(owner: OwnerAndTag, path: string): AppError {
  const field = owner.gkId ? gkIdField(owner.kind) : idField(owner.kind);
  return notFound(owner.kind.toLowerCase(), `${path}.${field}`);
}
