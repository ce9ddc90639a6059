// Free texts from callers (custom data, descriptions, reasons) are sealed in the column `texts` of their row
// and blank in the row's JSON columns. Null means that the row was written before texts were sealed, an empty
// value that there is nothing to seal. A text in the clear is the newer one: a node of an earlier version
// wrote it.
import type { Db } from '../database.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';

type Json = Record<string, unknown>;

interface TextTable {
  idColumn: string;
  /** The members of each JSON column that are free text; the empty name means the whole column. */
  texts: Readonly<Record<string, readonly string[]>>;
}

const described: TextTable['texts'] = { document: ['description'] };

export const textTables = {
  engagements: {
    idColumn: 'gk_engagement_id',
    texts: { document: ['analystId', 'customData', 'verdict.description', 'verdict.analystId'] },
  },
  parties: { idColumn: 'gk_id', texts: { consent: ['agentId', 'reason'] } },
  collections: { idColumn: 'gk_id', texts: { custom_data: [''] } },
  voiceprint_profiles: {
    idColumn: 'gk_voiceprint_profile_id',
    texts: { custom_data: [''], lock: ['text', 'lockedBy'] },
  },
  media_segments: { idColumn: 'gk_media_segment_id', texts: { document: ['customData'] } },
  processed_audios: {
    idColumn: 'gk_processed_audio_id',
    texts: { document: ['customData', 'actualLanguage'] },
  },
  configset_revisions: { idColumn: 'gk_configset_revision_id', texts: described },
  calibration_revisions: { idColumn: 'gk_calibration_model_revision_id', texts: described },
  // The description is moved out of the settings of batches first: see job-texts.ts.
  jobs: { idColumn: 'gk_job_id', texts: described },
} as const satisfies Record<string, TextTable>;

export type TextTableName = keyof typeof textTables;

const nothing = new Uint8Array(0);

/** The row's JSON columns as text, without the free texts, which are sealed beside them. */
type SealedColumns<Column extends string> = Record<Column, string> & { texts: Uint8Array };

interface Place {
  table: TextTableName;
  id: string;
}

const placeOfTexts = ({ table, id }: Place): string => `${table}/texts/${id}`;

/** Asks for a key only if there is something to seal; rows without a tenant stay as they are. */
export async function sealTexts<Column extends string>(
  sealerOf: (() => Promise<TenantSealer>) | undefined,
  place: Place,
  columns: Record<Column, object>,
): Promise<SealedColumns<Column>> {
  if (!sealerOf) return { ...asText(columns), texts: nothing } as SealedColumns<Column>;
  const { texts, clear } = withdrawn(place.table, columns);
  const sealed =
    Object.keys(texts).length === 0
      ? nothing
      : (await sealerOf()).seal(new TextEncoder().encode(JSON.stringify(texts)), placeOfTexts(place));
  return { ...clear, texts: sealed } as SealedColumns<Column>;
}

/** The row's JSON columns as they were before `sealTexts`. */
export function openTexts<T extends Record<string, unknown>>(
  sealer: TenantSealer | undefined,
  place: Place,
  row: { texts: Uint8Array | null },
): T {
  const columns: Record<string, unknown> = {};
  for (const column of Object.keys(textTables[place.table].texts)) {
    const text = (row as Json)[column];
    columns[column] = typeof text === 'string' ? JSON.parse(text) : undefined;
  }
  if (row.texts !== null && row.texts.length > 0 && sealer) {
    const texts = JSON.parse(new TextDecoder().decode(sealer.open(row.texts, placeOfTexts(place)))) as Json;
    for (const [path, value] of Object.entries(texts)) {
      const way = path.split('.').filter((step) => step !== '');
      if (isBlank(valueAt(columns, way))) putAt(columns, way, value);
    }
  }
  return columns as T;
}

/** Looks up the keys once for a whole list, and not at all if no row has texts. */
export async function sealerForTexts(
  keyring: Keyring,
  db: Db,
  gkScopeId: string,
  rows: readonly { texts: Uint8Array | null }[],
): Promise<TenantSealer | undefined> {
  const needed = rows.some(({ texts }) => texts !== null && texts.length > 0);
  return needed ? keyring.forTenant(db, gkScopeId) : undefined;
}

function withdrawn(
  table: TextTableName,
  columns: Record<string, object>,
): { texts: Json; clear: Record<string, string> } {
  const texts: Json = {};
  // Copied through JSON, so that it can be blanked and omits what JSON omits.
  const copy = JSON.parse(JSON.stringify(columns)) as Json;
  for (const [column, members] of Object.entries(textTables[table].texts))
    for (const member of members) {
      const way = [column, ...member.split('.')].filter((step) => step !== '');
      const value = valueAt(copy, way);
      if (isBlank(value)) continue;
      texts[`${column}.${member}`] = value;
      putAt(copy, way, typeof value === 'string' ? '' : {});
    }
  return { texts, clear: asText(copy) };
}

function asText(columns: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [column, JSON.stringify(value)] as const),
  );
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}

function valueAt(holder: Json, way: readonly string[]): unknown {
  return way.reduce<unknown>((inner, step) => (inner as Json | undefined)?.[step], holder);
}

/** Writes into the existing document: a member whose parent is gone has no place any more. */
function putAt(holder: Json, way: readonly string[], value: unknown): void {
  const inner = valueAt(holder, way.slice(0, -1));
  const last = way.at(-1);
  if (typeof inner === 'object' && inner !== null && last !== undefined) (inner as Json)[last] = value;
}
