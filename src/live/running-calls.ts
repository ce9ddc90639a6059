// Which node has which call in memory: each node regularly renews the entries of its own calls. A call whose node has stopped
// renewing it is closed by the first node to notice, with its last decision.
import { endedCourse } from '../biometrics/model/live-outcomes.js';
import type { LiveCallEntry } from '../biometrics/ports/live-calls.js';
import type { BiometricsStore, BiometricsTransaction } from '../biometrics/ports/store.js';
import type { Clock } from '../platform.js';
import { HELD_MS, outcomeOf, readOutcome } from './call-outcomes.js';
import { noteCutOff } from './cut-off.js';
import type { CallOnOtherNode } from './followers.js';
import type { LiveCall } from './live-call.js';
import type { EndReason, ListedCall, LiveCallInfo } from './model.js';
import { externalHashOf, hashOf } from './prepared-calls.js';

type Which = { liveCallId: string } | { resumeToken: string } | { gkScopeId: string; externalCallId: string };

/** This node's identity, and its knowledge of others. */
export interface NodeKnowledge {
  nodeId: string;
  isDown(nodeId: string): Promise<boolean>;
}

export class RunningCalls {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #nodeId: string;
  readonly #isDown: NodeKnowledge['isDown'];

  constructor({ store, clock }: { store: BiometricsStore; clock: Clock }, { nodeId, isDown }: NodeKnowledge) {
    this.#store = store;
    this.#clock = clock;
    this.#nodeId = nodeId;
    this.#isDown = isDown;
  }

  /**
   * `speakers`: whom the call asks for, or collects speech for. False if a prepared call was ended before it
   * began.
   */
  begin(live: LiveCall, wasPrepared: boolean, speakers: readonly string[] = []): Promise<boolean> {
    const { info } = live;
    return this.#store.transaction(async (tx) => {
      if (wasPrepared) {
        const held = { tokenHash: hashOf(live.resumeToken), untilMs: this.#clock.now() + HELD_MS };
        if (!(await tx.liveCalls.begin(info.liveCallId, this.#nodeId, held))) return false;
      } else await tx.liveCalls.put(this.#entryOf(live));
      const { gkScopeId, gkEngagementId, gkSessionId } = info;
      for (const gkPersonId of speakers)
        await tx.erasure.noteAsked({ gkScopeId, gkEngagementId, gkSessionId, gkPersonId });
      await tx.liveOutcomes.put(outcomeOf(info, this.#clock.now()));
      return true;
    });
  }

  /**
   * Reports that this node is still listening to these calls. Returns those that it no longer holds, because another node took
   * it for dead, with what is stored of them.
   */
  async renew(calls: readonly LiveCall[]): Promise<Map<LiveCall, LiveCallInfo | undefined>> {
    if (calls.length === 0) return new Map();
    return this.#store.transaction(async (tx) => {
      const now = this.#clock.now();
      const ended = new Map<LiveCall, LiveCallInfo | undefined>();
      if ((await tx.liveCalls.renew(this.#nodeId, now + HELD_MS)) >= calls.length) return ended;
      for (const live of calls) {
        const { liveCallId } = live.info;
        if ((await tx.liveCalls.find(liveCallId))?.nodeId === this.#nodeId) continue;
        const stored = await tx.liveOutcomes.find(liveCallId, now);
        ended.set(live, stored && readOutcome(stored));
      }
      return ended;
    });
  }

  /** Ends calls that nobody holds any longer: prepared calls that never began, and those of dead nodes. */
  async closeExpired(): Promise<void> {
    const now = this.#clock.now();
    await this.#store.transaction(async (tx) => {
      await tx.liveRequests.deleteExpired(now);
      await tx.agentTokens.deleteExpired(now);
      // They contain embeddings: kept no longer than somebody may resume them.
      await tx.handovers.deleteExpired(now);
      for (const { liveCallId, stage } of await tx.liveCalls.takeExpired(now))
        if (stage === 'RUNNING' || stage === 'MOVING')
          await close(tx, liveCallId, stage === 'RUNNING' ? 'crashed' : 'lost', now);
    });
  }

  /**
   * For an installation without other nodes: ends the calls left by a previous process, and discards what it
   * had in memory.
   */
  async closeLeft(): Promise<void> {
    const now = this.#clock.now();
    await this.#store.transaction(async (tx) => {
      for (const { liveCallId, stage } of await tx.liveCalls.takeOthers(this.#nodeId))
        if (stage === 'RUNNING') await close(tx, liveCallId, 'crashed', now);
    });
  }

  /** A call that another node has in memory. */
  async elsewhere(which: Which): Promise<LiveCallEntry | undefined> {
    const entry = await this.#find(which);
    if (!entry || entry.nodeId === this.#nodeId || entry.expiresAtMs <= this.#clock.now()) return undefined;
    if (entry.stage === 'RUNNING') return entry;
    // A running call is closed when its node stops renewing it; for an ended call, only this check shows that
    // its node has crashed.
    return entry.stage === 'ENDED' && !(await this.#isDown(entry.nodeId)) ? entry : undefined;
  }

  #find(which: Which): Promise<LiveCallEntry | undefined> {
    const { liveCalls } = this.#store.read;
    if ('liveCallId' in which) return liveCalls.find(which.liveCallId);
    if ('resumeToken' in which) return liveCalls.findRunning({ tokenHash: hashOf(which.resumeToken) });
    const { gkScopeId, externalCallId } = which;
    return liveCalls.findRunning({ gkScopeId, externalHash: hashOf(externalCallId) });
  }

  /** The running calls of a tenant, on any node. */
  async list(gkScopeId: string): Promise<LiveCallInfo[]> {
    const ids = await this.#store.read.liveCalls.running(gkScopeId);
    const found = await this.#store.read.liveOutcomes.findAll(ids, this.#clock.now());
    return found.map(readOutcome).filter((info) => !info.ended);
  }

  /** Adds what the applications say about their sessions. */
  async listed(gkScopeId: string, calls: readonly LiveCallInfo[]): Promise<ListedCall[]> {
    const ids = [...new Set(calls.map(({ gkSessionId }) => gkSessionId))];
    const { sessions, factors } = this.#store.read;
    const found = await sessions.findMany(gkScopeId, ids);
    const byId = new Map(found.map((session) => [session.gkSessionId, session]));
    const about = await factors.aboutSessions(gkScopeId, ids);
    return calls.map((info) => {
      const session = byId.get(info.gkSessionId);
      const { persons = [], gkFraudsterIds = [] } = about.get(info.gkSessionId) ?? {};
      const gkPersonId = session?.claimedGkPersonId ?? persons.at(-1)?.gkPersonId;
      return { ...info, session: session?.details, gkFraudsterIds, ...(gkPersonId && { gkPersonId }) };
    });
  }

  async look(liveCallIds: readonly string[]): Promise<ReadonlyMap<string, CallOnOtherNode>> {
    const { liveCalls, liveOutcomes } = this.#store.read;
    // In this order: a call that is no longer known has stored its final state before.
    const known = new Set(await liveCalls.known(liveCallIds));
    const outcomes = (await liveOutcomes.findAll(liveCallIds, this.#clock.now())).map(readOutcome);
    const byId = new Map(outcomes.map((info) => [info.liveCallId, info]));
    return new Map(
      liveCallIds.map((id) => {
        const info = byId.get(id);
        return [id, { isKnown: known.has(id), ...(info && { info }) }];
      }),
    );
  }

  /** The call is no longer in memory here. */
  async forget(liveCallId: string): Promise<void> {
    await this.#store.transaction(({ liveCalls }) => liveCalls.delete(liveCallId, ['RUNNING', 'ENDED']));
  }

  /** Not those whose end could not be stored: others close them. */
  async forgetAll(): Promise<void> {
    await this.#store.transaction(({ liveCalls }) => liveCalls.deleteEndedOf(this.#nodeId));
  }

  #entryOf(live: LiveCall): LiveCallEntry {
    const { liveCallId, gkScopeId, gkEngagementId, gkSessionId } = live.info;
    return {
      liveCallId,
      gkScopeId,
      stage: 'RUNNING',
      nodeId: this.#nodeId,
      tokenHash: hashOf(live.resumeToken),
      externalHash: externalHashOf(live.externalCallId),
      expiresAtMs: this.#clock.now() + HELD_MS,
      prepared: new Uint8Array(),
      asked: { gkEngagementId, gkSessionId, prints: live.prints },
    };
  }
}

async function close(
  tx: BiometricsTransaction,
  liveCallId: string,
  endReason: EndReason,
  nowMs: number,
): Promise<void> {
  const found = await tx.liveOutcomes.find(liveCallId, nowMs);
  const info = found && readOutcome(found);
  if (!info || info.ended) return;
  const closed = endedCourse(info, { atMs: nowMs, endReason });
  await noteCutOff(tx, closed, { nowMs, isLate: true });
  await tx.liveOutcomes.put(outcomeOf(closed, nowMs));
}
