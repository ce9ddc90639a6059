// Codes, refresh tokens, login sessions and consents in the database.
import type { AuthorizationCode, LoginSession, RefreshToken } from '../../auth/model.js';
import type { Grants } from '../../auth/ports.js';
import { orNull, orUndefined } from '../columns.js';
import type { Db, Tx } from '../database.js';
import type { AuthCodesTable, AuthLoginSessionsTable, AuthRefreshTokensTable } from '../schema/auth.js';

export function grantsIn(db: Db | Tx): Grants {
  return {
    ...codesIn(db),
    ...refreshTokensIn(db),
    ...sessionsIn(db),
    ...consentsIn(db),
    async deleteExpired(nowMs) {
      await db
        .deleteFrom('auth_codes')
        .where('expires_at', '<=', nowMs - CODE_KEPT_MS)
        .execute();
      await db.deleteFrom('auth_refresh_tokens').where('expires_at', '<=', nowMs).execute();
      await db.deleteFrom('auth_login_sessions').where('expires_at', '<=', nowMs).execute();
    },
  };
}

function codesIn(db: Db | Tx): Pick<Grants, 'insertCode' | 'useCode' | 'deleteCodes'> {
  const code = (hash: string) =>
    db.selectFrom('auth_codes').selectAll().where('code_hash', '=', hash).executeTakeFirst();
  return {
    async insertCode(input) {
      const { dpopJkt, usedAtMs, nonce, signedInAtMs, ...rest } = input;
      await db
        .insertInto('auth_codes')
        .values({
          code_hash: rest.codeHash,
          client_id: rest.clientId,
          user_id: rest.userId,
          redirect_uri: rest.redirectUri,
          scope: rest.scope,
          code_challenge: rest.codeChallenge,
          dpop_jkt: orNull(dpopJkt),
          grant_id: rest.grantId,
          expires_at: rest.expiresAtMs,
          used_at: orNull(usedAtMs),
          nonce: orNull(nonce),
          signed_in_at: orNull(signedInAtMs),
        })
        .execute();
    },
    async deleteCodes({ userId, clientId }) {
      if (userId === undefined && clientId === undefined) return;
      let query = db.deleteFrom('auth_codes').where('used_at', 'is', null);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (clientId !== undefined) query = query.where('client_id', '=', clientId);
      await query.execute();
    },
    async useCode(codeHash, nowMs) {
      // One statement decides who was first, whatever else runs at the same time.
      const won = await db
        .updateTable('auth_codes')
        .set({ used_at: nowMs })
        .where('code_hash', '=', codeHash)
        .where('used_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (won) return { code: toCode(won), first: true };
      const row = await code(codeHash);
      return row && { code: toCode(row), first: false };
    },
  };
}

function refreshTokensIn(
  db: Db | Tx,
): Pick<
  Grants,
  'insertRefreshToken' | 'getRefreshToken' | 'useRefreshToken' | 'deleteRefreshTokens' | 'listGrantIds'
> {
  const refresh = (hash: string) =>
    db.selectFrom('auth_refresh_tokens').selectAll().where('token_hash', '=', hash).executeTakeFirst();
  return {
    async insertRefreshToken(token) {
      await db
        .insertInto('auth_refresh_tokens')
        .values({
          token_hash: token.tokenHash,
          grant_id: token.grantId,
          client_id: token.clientId,
          user_id: token.userId,
          scope: token.scope,
          dpop_jkt: orNull(token.dpopJkt),
          created_at: token.createdAtMs,
          expires_at: token.expiresAtMs,
          used_at: orNull(token.usedAtMs),
        })
        .execute();
    },
    async getRefreshToken(tokenHash) {
      const row = await refresh(tokenHash);
      return row && toRefreshToken(row);
    },
    async useRefreshToken(tokenHash, nowMs) {
      const won = await db
        .updateTable('auth_refresh_tokens')
        .set({ used_at: nowMs })
        .where('token_hash', '=', tokenHash)
        .where('used_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (won) return { token: toRefreshToken(won), first: true };
      const row = await refresh(tokenHash);
      return row && { token: toRefreshToken(row), first: false };
    },
    async listGrantIds({ userId, clientId }) {
      let query = db.selectFrom('auth_refresh_tokens').select('grant_id').where('user_id', '=', userId);
      if (clientId !== undefined) query = query.where('client_id', '=', clientId);
      return (await query.distinct().execute()).map((row) => row.grant_id);
    },
    async deleteRefreshTokens({ grantId, userId, clientId }) {
      // Without a filter, delete nothing rather than everything.
      if (grantId === undefined && userId === undefined && clientId === undefined) return;
      let query = db.deleteFrom('auth_refresh_tokens');
      if (grantId !== undefined) query = query.where('grant_id', '=', grantId);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (clientId !== undefined) query = query.where('client_id', '=', clientId);
      await query.execute();
    },
  };
}

function sessionsIn(
  db: Db | Tx,
): Pick<
  Grants,
  'insertSession' | 'getSession' | 'listSessions' | 'listSessionsOfProvider' | 'deleteSession'
> {
  return {
    async insertSession({ sessionHash, userId, createdAtMs, expiresAtMs, providerSession }) {
      await db
        .insertInto('auth_login_sessions')
        .values({
          session_hash: sessionHash,
          user_id: userId,
          created_at: createdAtMs,
          expires_at: expiresAtMs,
          provider_session: orNull(providerSession),
        })
        .execute();
    },
    async getSession(sessionHash) {
      const query = db.selectFrom('auth_login_sessions').selectAll().where('session_hash', '=', sessionHash);
      const row = await query.executeTakeFirst();
      return row && toSession(row);
    },
    async listSessions(userId) {
      const query = db.selectFrom('auth_login_sessions').selectAll().where('user_id', '=', userId);
      const rows = await query.orderBy('created_at', 'desc').orderBy('session_hash').execute();
      return rows.map(toSession);
    },
    async listSessionsOfProvider(providerSession) {
      const query = db
        .selectFrom('auth_login_sessions')
        .selectAll()
        .where('provider_session', '=', providerSession);
      return (await query.execute()).map(toSession);
    },
    async deleteSession(sessionHash) {
      await db.deleteFrom('auth_login_sessions').where('session_hash', '=', sessionHash).execute();
    },
  };
}

function consentsIn(
  db: Db | Tx,
): Pick<Grants, 'getConsent' | 'setConsent' | 'deleteConsents' | 'listConsents'> {
  return {
    async getConsent(userId, clientId) {
      const row = await db
        .selectFrom('auth_consents')
        .select('scope')
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .executeTakeFirst();
      return row?.scope;
    },
    async setConsent(userId, clientId, scope, nowMs) {
      await db
        .insertInto('auth_consents')
        .values({ user_id: userId, client_id: clientId, scope, granted_at: nowMs })
        .onConflict((c) => c.columns(['user_id', 'client_id']).doUpdateSet({ scope, granted_at: nowMs }))
        .execute();
    },
    async deleteConsents({ userId, clientId }) {
      if (userId === undefined && clientId === undefined) return;
      let query = db.deleteFrom('auth_consents');
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (clientId !== undefined) query = query.where('client_id', '=', clientId);
      await query.execute();
    },
    async listConsents(userId) {
      const query = db.selectFrom('auth_consents').selectAll().where('user_id', '=', userId);
      const rows = await query.orderBy('granted_at', 'desc').orderBy('client_id').execute();
      return rows.map((row) => ({ clientId: row.client_id, scope: row.scope, grantedAtMs: row.granted_at }));
    },
  };
}

/** A used code is kept for a day, so that its replay is still noticed. */
const CODE_KEPT_MS = 24 * 3600_000;

function toCode(row: AuthCodesTable): AuthorizationCode {
  return {
    codeHash: row.code_hash,
    clientId: row.client_id,
    userId: row.user_id,
    redirectUri: row.redirect_uri,
    scope: row.scope,
    codeChallenge: row.code_challenge,
    dpopJkt: orUndefined(row.dpop_jkt),
    nonce: orUndefined(row.nonce),
    signedInAtMs: orUndefined(row.signed_in_at),
    grantId: row.grant_id,
    expiresAtMs: row.expires_at,
    usedAtMs: orUndefined(row.used_at),
  };
}

function toSession(row: AuthLoginSessionsTable): LoginSession {
  return {
    sessionHash: row.session_hash,
    userId: row.user_id,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    ...(row.provider_session === null ? {} : { providerSession: row.provider_session }),
  };
}

function toRefreshToken(row: AuthRefreshTokensTable): RefreshToken {
  return {
    tokenHash: row.token_hash,
    grantId: row.grant_id,
    clientId: row.client_id,
    userId: row.user_id,
    scope: row.scope,
    dpopJkt: orUndefined(row.dpop_jkt),
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    usedAtMs: orUndefined(row.used_at),
  };
}
