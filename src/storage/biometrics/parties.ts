// Persons and fraudsters: own IDs in the clear, names and numbers sealed.
import type { Consent, Party, PartyDetails } from '../../biometrics/model/entities.js';
import type { PartyRepository } from '../../biometrics/ports/entities.js';
import type { ChangePosition } from '../../biometrics/ports/page.js';
import { namedInTenant, readTimes, storedTimes } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { PartiesTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { orAlreadyExists } from '../violations.js';
import { modifiedBehind, readPage, sortKeyOf } from './page.js';
import { reassess } from './reassess.js';
import { forgetSamePersons } from './same-persons.js';
import { openJson, sealJson } from '../sealing/sealed-json.js';
import { openTexts, sealTexts } from './texts.js';

function storedConsent({ optInAtMs, ...consent }: Consent): object {
  return {
    ...storedTimes(consent, 'at'),
    ...(optInAtMs !== undefined && { optInTime: optInAtMs }),
  };
}

function readConsent(stored: object): Consent {
  const { optInTime: optInAtMs, ...consent } = stored as { optInTime?: Consent['optInAtMs'] };
  return { ...readTimes<Consent>(consent, 'at'), ...(optInAtMs !== undefined && { optInAtMs }) };
}

const placeOf = (gkId: string) => `parties/details/${gkId}`;

export function partyRepository(db: Db, keyring: Keyring): PartyRepository {
  const { ofKind, within, modified } = partyQueries(db);
  const { toRow, fromRows } = partyRows(db, keyring);
  return {
    async insert(party) {
      const row = await toRow(party);
      await orAlreadyExists(party.kind.toLowerCase(), idField(party.kind), () =>
        db.insertInto('parties').values(row).execute(),
      );
    },
    async find(gkScopeId, kind, gkId) {
      const query = ofKind(gkScopeId, kind).where('gk_id', '=', gkId);
      return (await fromRows(gkScopeId, await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findByExternalId(gkScopeId, kind, externalId) {
      return (
        await fromRows(
          gkScopeId,
          await ofKind(gkScopeId, kind).where('external_id', '=', externalId).execute(),
        )
      )[0];
    },
    async findMany(gkScopeId, gkIds) {
      if (gkIds.length === 0) return [];
      const rows = await db
        .selectFrom('parties')
        .selectAll()
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_id', 'in', [...gkIds])
        .execute();
      return fromRows(gkScopeId, rows);
    },
    async count(gkScopeId, kind, filter) {
      const row = await within(ofKind(gkScopeId, kind), gkScopeId, filter)
        .clearSelect()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async tenantsWithMany(kind, min, limit) {
      const rows = await db
        .selectFrom('parties')
        .select(['gk_scope_id', (select) => select.fn.countAll<number>().as('count')])
        .where('kind', '=', kind)
        .groupBy('gk_scope_id')
        .having((having) => having.fn.countAll<number>(), '>=', min)
        .orderBy('count', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => row.gk_scope_id);
    },
    async list(gkScopeId, kind, filter, page) {
      const query = within(ofKind(gkScopeId, kind), gkScopeId, filter);
      const { rows, next } = await readPage(query, 'gk_id', page);
      return { parties: await fromRows(gkScopeId, rows), ...(next && { next }) };
    },
    async changed(gkScopeId, kind, after, limit) {
      const rows = await modified(gkScopeId, kind, after, limit).execute();
      return fromRows(gkScopeId, rows);
    },
    async changedIds(gkScopeId, kind, after, limit) {
      const query = modified(gkScopeId, kind, after, limit).clearSelect().select(['gk_id', 'modified_at']);
      return (await query.execute()).map((row) => ({ atMs: row.modified_at, id: row.gk_id }));
    },
    async update(party) {
      const { gk_id, gk_scope_id, ...columns } = await toRow(party);
      await orAlreadyExists(party.kind.toLowerCase(), idField(party.kind), () =>
        db
          .updateTable('parties')
          .set(columns)
          .where('gk_id', '=', gk_id)
          .where('gk_scope_id', '=', gk_scope_id)
          .execute(),
      );
    },
    async delete(gkScopeId, kind, gkId) {
      const found = db
        .selectFrom('call_findings')
        .select('gk_session_id')
        .where('gk_fraudster_id', '=', gkId);
      await reassess(db, gkScopeId, {
        sessions: (await found.execute()).map((row) => row.gk_session_id),
      });
      await db
        .deleteFrom('parties')
        .where('gk_scope_id', '=', gkScopeId)
        .where('kind', '=', kind)
        .where('gk_id', '=', gkId)
        .execute();
      await db
        .deleteFrom('collection_members')
        .where('gk_scope_id', '=', gkScopeId)
        .where('member_gk_id', '=', gkId)
        .execute();
      await forgetSamePersons(db, gkId);
    },
  };
}

function partyQueries(db: Db) {
  const ofKind = (gkScopeId: string, kind: Party['kind']) =>
    db.selectFrom('parties').selectAll().where('gk_scope_id', '=', gkScopeId).where('kind', '=', kind);
  function within(query: ReturnType<typeof ofKind>, gkScopeId: string, { memberOf }: { memberOf?: string }) {
    if (!memberOf) return query;
    const members = db
      .selectFrom('collection_members')
      .select('member_gk_id')
      .where('gk_scope_id', '=', gkScopeId)
      .where('collection_gk_id', '=', memberOf);
    return query.where('gk_id', 'in', members);
  }
  const modified = (gkScopeId: string, kind: Party['kind'], after: ChangePosition, limit: number) =>
    ofKind(gkScopeId, kind)
      .where(modifiedBehind('gk_id', after))
      .orderBy('modified_at')
      .orderBy('gk_id')
      .limit(limit);
  return { ofKind, within, modified };
}

/** Parties as rows, and back. */
function partyRows(db: Db, keyring: Keyring) {
  async function toRow(party: Party): Promise<PartiesTable> {
    const sealer = await keyring.forTenant(db, party.gkScopeId);
    const { consent } = party;
    const place = { table: 'parties', id: party.gkId } as const;
    const texts = await sealTexts(async () => sealer, place, {
      consent: consent ? storedConsent(consent) : {},
    });
    return {
      gk_id: party.gkId,
      gk_scope_id: party.gkScopeId,
      kind: party.kind,
      external_id: party.externalId,
      sort_key: sortKeyOf(party.externalId),
      consent: consent ? texts.consent : null,
      texts: texts.texts,
      details: sealJson(sealer, placeOf(party.gkId), party.details),
      created_at: party.createdAtMs,
      modified_at: party.modifiedAtMs,
    };
  }

  function fromRow(row: PartiesTable, sealer: TenantSealer): Party {
    const { consent } = openTexts<{ consent?: object }>(sealer, { table: 'parties', id: row.gk_id }, row);
    return {
      kind: row.kind as Party['kind'],
      gkId: row.gk_id,
      gkScopeId: row.gk_scope_id,
      externalId: row.external_id,
      ...(consent && { consent: readConsent(consent) }),
      details: openJson<PartyDetails>(sealer, placeOf(row.gk_id), row.details),
      createdAtMs: row.created_at,
      modifiedAtMs: row.modified_at,
    };
  }

  async function fromRows(gkScopeId: string, rows: readonly PartiesTable[]): Promise<Party[]> {
    if (rows.length === 0) return [];
    const sealer = await keyring.forTenant(db, gkScopeId);
    return rows.map((row) => fromRow(row, sealer));
  }

  return { toRow, fromRows };
}

const idField = (kind: Party['kind']) => (kind === 'PERSON' ? 'person_id' : 'fraudster_id');
