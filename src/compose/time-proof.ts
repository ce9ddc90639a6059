// Deleting by age needs a clock that can be believed. The database remembers the latest time that any node has seen; a
// clock that is more than a day ahead of it may be wrong, and nothing is deleted by it until somebody confirms the time
// (`voxgate clock confirm`). A clock that is behind deletes too little, which does no harm; but tokens and locks of that time seem to
// lie in the future, so it is told of.
import type { Clock, Log } from '../platform.js';
import { newestAuditAtMs } from '../storage/audit/audit-log.js';
import type { Database } from '../storage/database.js';
import { readSetting, writeSetting } from '../storage/settings.js';

export interface TimeProof {
  /** Whether what is old by this node's clock may be deleted. Notes the time when it can be believed. */
  isProven(): Promise<boolean>;
  stop(): void;
}

const SETTING_NAME = 'clock.seen_ms';
export const JUMP_MAX_MS = 24 * 3600_000;
export const BEHIND_MAX_MS = 3600_000;
const NOTE_EVERY_MS = 10 * 60_000;

export function startTimeProof({ clock, log }: { clock: Clock; log: Log }, database: Database): TimeProof {
  let told = false;
  const isProven = async (): Promise<boolean> => {
    const nowMs = clock.now();
    const seenMs = await latestSeen(database);
    if (seenMs !== undefined && nowMs - seenMs > JUMP_MAX_MS) {
      if (!told)
        log.error(
          { now: new Date(nowMs).toISOString(), seen: new Date(seenMs).toISOString() },
          'the clock is more than a day ahead of the last time seen: nothing is deleted by age until `voxgate clock confirm`',
        );
      told = true;
      return false;
    }
    const isBehind = seenMs !== undefined && seenMs - nowMs > BEHIND_MAX_MS;
    if (isBehind && !told)
      log.error(
        { now: new Date(nowMs).toISOString(), seen: new Date(seenMs).toISOString() },
        'the clock is more than an hour behind the last time seen: set it, or, if that time was wrong, run `voxgate clock confirm`',
      );
    told = isBehind;
    if (seenMs === undefined || nowMs > seenMs) await noteTime(database, nowMs);
    return true;
  };
  const note = (): void => void isProven().catch(() => {});
  note();
  const timer = setInterval(note, NOTE_EVERY_MS).unref();
  return { isProven, stop: () => clearInterval(timer) };
}

/** By the note, or, where there is none yet, by the newest record of the audit trail. */
export async function latestSeen(database: Database): Promise<number | undefined> {
  const noted = await readSetting(database, SETTING_NAME);
  return noted === undefined ? newestAuditAtMs(database) : Number(noted);
}

/** An operator says that the clock is right, or a node has seen time pass as it should. */
export async function noteTime(database: Database, nowMs: number): Promise<void> {
  await writeSetting(database, SETTING_NAME, String(nowMs));
}
