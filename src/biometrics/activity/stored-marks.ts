// The stored marks of sessions, which lists, filters and pages show. Whenever something that they depend on is written, a note
// is left in the same transaction (migration 56); the notes say which sessions are due. Whoever asks first, or else a
// background worker (compose/marks-upkeep.ts), computes their marks and stores them. Nobody sees anything older than the last
// commit: marks that are still due are computed for whoever asks.
import { isOutage } from '../../errors.js';
import type { Session, SessionMarks } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { DueMarks } from '../ports/marks.js';
import { storedCaveats } from './assessed.js';
import { workOutMarks } from './work-out-marks.js';

/** A filter first computes up to this many due marks before it searches the others one by one. */
const DUE_AT_ONCE = 100;

/** Makes sessions due according to the noted changes. */
export async function spreadChanges({ store }: BiometricsDeps, gkScopeId: string): Promise<void> {
  let isMore = await store.read.marks.hasChanges(gkScopeId);
  while (isMore) isMore = await store.transaction((tx) => tx.marks.spreadChanges(gkScopeId));
}

/** Computes and stores the marks of these; what has changed meanwhile is due again. */
export async function refreshMarks(
  deps: BiometricsDeps,
  gkScopeId: string,
  due: readonly DueMarks[],
): Promise<Map<string, SessionMarks>> {
  if (due.length === 0) return new Map();
  const ids = due.map(({ gkSessionId }) => gkSessionId);
  const sessions = await deps.store.read.sessions.findMany(gkScopeId, ids);
  const marks = await workOutMarks(deps, gkScopeId, sessions);
  const caveats = await storedCaveats(deps, gkScopeId, sessions);
  const createdAtMs = new Map(sessions.map((session) => [session.gkSessionId, session.createdAtMs]));
  // A deleted session has no marks, and is no longer due.
  const workedOut = due.map((one) => ({
    ...one,
    createdAtMs: createdAtMs.get(one.gkSessionId) ?? 0,
    marks: marks.get(one.gkSessionId) ?? {},
    caveats: caveats.get(one.gkSessionId) ?? [],
  }));
  await deps.store.transaction((tx) => tx.marks.keep(gkScopeId, workedOut));
  return marks;
}

/** Called before filtering by marks; returns whether everything due was done. */
export async function refreshAllMarks(deps: BiometricsDeps, gkScopeId: string): Promise<boolean> {
  await spreadChanges(deps, gkScopeId);
  const due = await deps.store.read.marks.due(gkScopeId, DUE_AT_ONCE + 1);
  await refreshMarks(deps, gkScopeId, due.slice(0, DUE_AT_ONCE));
  return due.length <= DUE_AT_ONCE;
}

/** Adds the marks beside each decision. */
export async function withMarks<Entry extends { session: Session }>(
  deps: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
): Promise<(Entry & SessionMarks)[]> {
  const ids = entries.map(({ session }) => session.gkSessionId);
  const marks = await marksOfSessions(deps, gkScopeId, ids);
  return entries.map((entry) => ({ ...entry, ...marks.get(entry.session.gkSessionId) }));
}

async function marksOfSessions(
  deps: BiometricsDeps,
  gkScopeId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SessionMarks>> {
  const { read } = deps.store;
  try {
    await spreadChanges(deps, gkScopeId);
    // What is due comes first: marks stored in between are newer, never older.
    const settled = await refreshMarks(deps, gkScopeId, await read.marks.dueAmong(gkScopeId, ids));
    const others = ids.filter((id) => !settled.has(id));
    return new Map([...(await read.marks.findMany(gkScopeId, others)), ...settled]);
  } catch (error) {
    // If nothing can be written, for example on a full disk, lists can still be read.
    if (!isOutage(error)) throw error;
    return workOutMarks(deps, gkScopeId, await read.sessions.findMany(gkScopeId, ids));
  }
}
