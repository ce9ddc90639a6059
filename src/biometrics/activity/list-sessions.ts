// The list of sessions by time, newest first unless asked otherwise. Numbers, references and decisions lie inside the rows, so a search for
// them looks at the rows one by one.
import { invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Decision } from '../model/outcome.js';
import { pageOf, searchPage } from '../call/paging.js';
import { hasText } from '../call/search-text.js';
import { decideSession } from '../rules/session-decision.js';
import { sessionIdleMs } from '../call/idle.js';
import { deriveIntent } from '../rules/session-intent.js';
import type { EngagementVerdict, Session, SessionType } from '../model/sessions.js';
import type { ListOrder, Page } from '../ports/page.js';
import { rememberedParameters } from '../sessions/remembered-parameters.js';

export interface ListSessionsInput {
  context: RequestContext;
  pageSize?: number;
  pageToken?: string;
  query?: string;
  fromMs?: number;
  toMs?: number;
  active?: boolean;
  types?: readonly SessionType[];
  decisions?: readonly Decision[];
  /** Newest first if absent; sessions have no other order than their time. */
  order?: ListOrder;
}

export interface SessionEntry {
  session: Session;
  claimedPersonId: string;
  /** First and last name; empty where nobody knows them. */
  claimedName: string;
  verdict?: EngagementVerdict;
  factors: number;
}

export async function listSessions(
  deps: BiometricsDeps,
  call: Call,
  input: ListSessionsInput,
): Promise<{ entries: SessionEntry[]; next?: string }> {
  if (input.order?.startsWith('identifier'))
    throw invalidFields([
      { field: 'order', violation: 'OUT_OF_RANGE', message: 'must be by time: sessions have no other order' },
    ]);
  const page = pageOf(input);
  const gkScopeId = await openTenant(deps, call, input.context);
  const { fromMs, toMs, active, types, decisions } = input;
  const filter = {
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(types && { types }),
    // One that is idle too long is stored as active until somebody touches it: only this direction is sure.
    ...(active === true && { active }),
  };
  const query = input.query?.trim() ?? '';
  const read = async (at: Page) => {
    const { sessions, next } = await deps.store.read.sessions.list(gkScopeId, filter, at);
    return { items: await entriesOf(deps, gkScopeId, sessions), ...(next && { next }) };
  };
  const fits = (entry: SessionEntry): boolean => entryFits(entry, input, query);
  const plain = query === '' && active === undefined && !decisions?.length;
  const found = plain
    ? await read(page)
    : await searchPage(read, fits, positionOf, page, { count: false, signal: call.signal });
  return { entries: found.items, ...(found.next && { next: found.next }) };
}

function entryFits(
  entry: SessionEntry,
  { active, decisions }: Pick<ListSessionsInput, 'active' | 'decisions'>,
  query: string,
): boolean {
  const { isActive, decision } = entry.session;
  return (
    (active === undefined || isActive === active) &&
    (!decisions?.length || (decision !== undefined && decisions.includes(decision.decision))) &&
    (query === '' || hasText(textsOf(entry), query))
  );
}

const positionOf = ({ session }: SessionEntry) => ({
  createdAtMs: session.createdAtMs,
  id: session.gkSessionId,
});

function textsOf({ session, claimedPersonId, claimedName }: SessionEntry): (string | undefined)[] {
  const { gkSessionId, gkEngagementId, details } = session;
  const { sessionId, ani, dnis, agentId } = details;
  return [gkSessionId, gkEngagementId, sessionId, ani, dnis, agentId, claimedPersonId, claimedName];
}

async function entriesOf(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<SessionEntry[]> {
  const { read } = deps.store;
  const unique = (ids: readonly (string | undefined)[]) => [...new Set(ids.filter((id) => id !== undefined))];
  const persons = await read.parties.findMany(
    gkScopeId,
    unique(sessions.map((session) => session.claimedGkPersonId)),
  );
  const engagements = await read.engagements.findMany(
    gkScopeId,
    unique(sessions.map((s) => s.gkEngagementId)),
  );
  const factors = await read.factors.countBySessions(
    gkScopeId,
    sessions.map((session) => session.gkSessionId),
  );
  const claimed = new Map(persons.map((person) => [person.gkId, person]));
  const verdicts = new Map(
    engagements.map((engagement) => [engagement.gkEngagementId, engagement.verdict?.verdict]),
  );
  const entries: SessionEntry[] = [];
  for (const session of sessions) {
    const verdict = verdicts.get(session.gkEngagementId);
    const count = factors.get(session.gkSessionId) ?? 0;
    const person = claimed.get(session.claimedGkPersonId ?? '');
    entries.push({
      session: await asOfNow(deps, session, count > 0),
      claimedPersonId: person?.externalId ?? '',
      claimedName: [person?.details.firstName, person?.details.lastName].filter(Boolean).join(' '),
      ...(verdict && { verdict }),
      factors: count,
    });
  }
  return entries;
}

/** With the decision so far, and over when it has been idle too long. Looking at a session does not wake it. */
export async function asOfNow(deps: BiometricsDeps, session: Session, hasFactors: boolean): Promise<Session> {
  if (!session.isActive || (!hasFactors && session.lastActivityAtMs > deps.clock.now() - SHORTEST_IDLE_MS))
    return session;
  const parameters = await rememberedParameters(deps, session);
  const endsAtMs = session.lastActivityAtMs + sessionIdleMs(session.sessionType, parameters);
  const isOver = endsAtMs <= deps.clock.now();
  const factors = hasFactors
    ? await deps.store.read.factors.listByEngagement(session.gkScopeId, session.gkEngagementId)
    : [];
  return {
    ...session,
    ...(isOver && { isActive: false, completedAtMs: endsAtMs }),
    ...(hasFactors && {
      decision: session.decision ?? decideSession(factors, parameters),
      intent: session.intent ?? deriveIntent(session, factors),
    }),
  };
}

/** No config set can make sessions end sooner (parameters.ts, sessions). */
const SHORTEST_IDLE_MS = 10_000;
