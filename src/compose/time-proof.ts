// Deleting by age needs a clock that can be believed. The database remembers the latest time that any node has seen; a
// clock that is more than a day ahead of it may be wrong, and nothing is deleted by it until somebody confirms the time
// (`voxgate clock confirm`). A clock that is behind deletes too little; but what is stored by it looks older than it is, and would go as
// soon as the clock is right again. So after one that was more than a day behind, nothing is deleted either until then.
import type { Clock, Log } from '../platform.js';
import { newestAuditAtMs } from '../storage/audit/audit-log.js';
import type { Database } from '../storage/database.js';
import { deleteSetting, readSetting, setIfUnset, writeSetting } from '../storage/settings.js';

export interface TimeProof {
  /** Whether what is old by this node's clock may be deleted. Notes the time when it can be believed. */
  isProven(): Promise<boolean>;
  stop(): void;
}

const SEEN_SETTING = 'clock.seen_ms';
/** What the clock said when it was found far behind. */
const BEHIND_SETTING = 'clock.behind_ms';
export const JUMP_MAX_MS = 24 * 3600_000;
export const BEHIND_MAX_MS = 3600_000;
const NOTE_EVERY_MS = 10 * 60_000;

export function startTimeProof({ clock, log }: { clock: Clock; log: Log }, database: Database): TimeProof {
  let isReported = false;
  const look = async (): Promise<boolean> => {
    const nowMs = clock.now();
    const seenMs = await latestSeen(database);
    if (seenMs !== undefined && nowMs - seenMs > JUMP_MAX_MS) {
      if (!isReported)
        log.error(
          { now: new Date(nowMs).toISOString(), seen: new Date(seenMs).toISOString() },
          'the clock is more than a day ahead of the last time seen: nothing is deleted by age until `voxgate clock confirm`',
        );
      isReported = true;
      return false;
    }
    const isBehind = seenMs !== undefined && seenMs - nowMs > BEHIND_MAX_MS;
    if (isBehind && !isReported)
      log.error(
        { now: new Date(nowMs).toISOString(), seen: new Date(seenMs).toISOString() },
        'the clock is more than an hour behind the last time seen: set it, or, if that time was wrong, run `voxgate clock confirm`',
      );
    if (seenMs !== undefined && seenMs - nowMs > JUMP_MAX_MS)
      await setIfUnset(database, BEHIND_SETTING, String(nowMs));
    const wrongMs = await wasBehindAt(database);
    if (wrongMs !== undefined && !isBehind && !isReported)
      log.error(
        { now: new Date(nowMs).toISOString(), then: new Date(wrongMs).toISOString() },
        'the clock was more than a day behind, and what was stored then looks older than it is: nothing is deleted by age until `voxgate clock confirm`',
      );
    isReported = isBehind || wrongMs !== undefined;
    if (seenMs === undefined || nowMs > seenMs) await writeSetting(database, SEEN_SETTING, String(nowMs));
    return wrongMs === undefined;
  };
  // One look at a time: two that overlap would both tell the log.
  let looking: Promise<boolean> | undefined;
  const isProven = (): Promise<boolean> => (looking ??= look().finally(() => (looking = undefined)));
  const note = (): void => void isProven().catch(() => {});
  note();
  const timer = setInterval(note, NOTE_EVERY_MS).unref();
  return { isProven, stop: () => clearInterval(timer) };
}

/** Whether something may be deleted for its age; without a proof of time, as in commands, it may. */
export const isTimeProven = async ({ timeProof }: { timeProof?: TimeProof | undefined }): Promise<boolean> =>
  (await timeProof?.isProven()) !== false;

/** By the note, or, where there is none yet, by the newest record of the audit trail. */
export async function latestSeen(database: Database): Promise<number | undefined> {
  const noted = await readSetting(database, SEEN_SETTING);
  return noted === undefined ? newestAuditAtMs(database) : Number(noted);
}

/** What the clock said when it was far behind, where nobody has confirmed the time since. */
export async function wasBehindAt(database: Database): Promise<number | undefined> {
  const noted = await readSetting(database, BEHIND_SETTING);
  return noted === undefined ? undefined : Number(noted);
}

/** An operator says that the clock is right. */
export async function confirmTime(database: Database, nowMs: number): Promise<void> {
  await writeSetting(database, SEEN_SETTING, String(nowMs));
  const behind = await readSetting(database, BEHIND_SETTING);
  if (behind !== undefined) await deleteSetting(database, BEHIND_SETTING, behind);
}
