// Rows of voiceprint profiles. The template is sealed together with the data that describes it; only the
// calibration revision is in the clear, because compatibility is checked over whole watchlists.
import type { ComparablePrint, Profile, ProfileLock, TrainedPrint } from '../../biometrics/model/profiles.js';
import { decodeTemplate, encodeTemplate } from '../../voice/scoring/codec.js';
import { flag, fromJson, isSet, optional, orNull, readTimes, storedTimes } from '../columns.js';
import type { Db } from '../database.js';
import type { VoiceprintProfilesTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { packParts, readOrDamaged, unpackParts } from './packed.js';
import { openTexts, sealTexts } from './texts.js';

const decoder = new TextDecoder();

/** Galleries read many rows, and every column adds to the cost of a row. */
export const comparable = [
  'gk_voiceprint_profile_id',
  'gk_owner_id',
  'owner_type',
  'tag',
  'version',
  'lock',
  'template',
] as const satisfies readonly (keyof VoiceprintProfilesTable)[];
export type ComparableRow = Pick<VoiceprintProfilesTable, (typeof comparable)[number]>;

/**
 * The lock of a print whose lock cannot be read. The print is damaged, which keeps it from use just as a lock
 * would.
 */
const unreadLock: ProfileLock = { locked: false, text: '', lockedBy: '', mismatchCounter: 0 };

const templatePlace = (id: string) => `voiceprint_profiles/template/${id}`;

export async function toRow(db: Db, keyring: Keyring, profile: Profile): Promise<VoiceprintProfilesTable> {
  const tenant = () => keyring.forTenant(db, profile.gkScopeId);
  const texts = await sealTexts(
    tenant,
    { table: 'voiceprint_profiles', id: profile.gkVoiceprintProfileId },
    { lock: storedTimes(profile.lock, 'lockedAt', 'autoUnlockAt'), custom_data: profile.customData },
  );
  return {
    gk_voiceprint_profile_id: profile.gkVoiceprintProfileId,
    gk_scope_id: profile.gkScopeId,
    gk_owner_id: profile.gkOwnerId,
    owner_type: profile.ownerType,
    tag: profile.tag,
    status: profile.status,
    version: profile.version,
    near_term_adaptation: flag(profile.nearTermAdaptation),
    calibration_revision_id: profile.trained?.calibrationRevisionId ?? null,
    configset_id: orNull(profile.configsetId),
    ...texts,
    template: profile.trained ? sealTrained(profile, profile.trained, await tenant()) : null,
    created_at: profile.createdAtMs,
    modified_at: profile.modifiedAtMs,
  };
}

function sealTrained(
  profile: Profile,
  { template, ...about }: TrainedPrint,
  tenant: TenantSealer,
): Uint8Array {
  const parts = [
    new TextEncoder().encode(JSON.stringify(storedTimes(about, 'trainedAt'))),
    encodeTemplate(template),
  ];
  return tenant.seal(packParts(parts), templatePlace(profile.gkVoiceprintProfileId));
}

function openTrained(sealed: Uint8Array, tenant: TenantSealer, id: string): TrainedPrint {
  const [about, template] = unpackParts(tenant.open(sealed, templatePlace(id)));
  if (!about || !template) throw new RangeError('a stored print without its parts');
  return {
    ...readTimes<Omit<TrainedPrint, 'template'>>(JSON.parse(decoder.decode(about)) as object, 'trainedAt'),
    template: decodeTemplate(template),
  };
}

/** Leaves out the texts of a lock: comparisons do not need them, and galleries read many rows. */
export function toComparable(row: ComparableRow, tenant: TenantSealer): ComparablePrint {
  const { template, gk_voiceprint_profile_id: id } = row;
  // One unreadable print must not make a whole watchlist unusable.
  const trained = template === null ? undefined : readOrDamaged(() => openTrained(template, tenant, id));
  const lock = readOrDamaged(() => readTimes<ProfileLock>(fromJson(row.lock), 'lockedAt', 'autoUnlockAt'));
  return {
    gkVoiceprintProfileId: row.gk_voiceprint_profile_id,
    gkOwnerId: row.gk_owner_id,
    ownerType: row.owner_type as Profile['ownerType'],
    tag: row.tag,
    version: row.version,
    lock: lock === 'damaged' ? unreadLock : lock,
    ...(trained === 'damaged' || lock === 'damaged' ? { damaged: true } : trained && { trained }),
  };
}

export function fromRow(row: VoiceprintProfilesTable, tenant: TenantSealer): Profile {
  const place = { table: 'voiceprint_profiles', id: row.gk_voiceprint_profile_id } as const;
  const textsBy = (sealer: TenantSealer | undefined) =>
    openTexts<{ lock: object; custom_data: Profile['customData'] }>(sealer, place, row);
  const opened = readOrDamaged(() => textsBy(tenant));
  // Texts that cannot be read stay blank; comparisons do not need them.
  const texts = opened === 'damaged' ? readOrDamaged(() => textsBy(undefined)) : opened;
  const print = toComparable(row, tenant);
  return {
    ...print,
    lock: texts === 'damaged' ? print.lock : readTimes<ProfileLock>(texts.lock, 'lockedAt', 'autoUnlockAt'),
    gkScopeId: row.gk_scope_id,
    status: row.status as Profile['status'],
    nearTermAdaptation: isSet(row.near_term_adaptation),
    ...optional('configsetId', row.configset_id),
    customData: texts === 'damaged' ? {} : texts.custom_data,
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
