// When a call is judged on whose channel the agent is heard too: by what the customer has said, at whichever node.
import { describe, expect, it } from 'vitest';
import type { LiveCallParts } from '../../src/live/call-parts.js';
import type { HandoverState } from '../../src/live/call-handover.js';
import { checkpointAfter, checkpointsAfter, checkpointsByWindow } from '../../src/live/call-course.js';
import { LiveCall } from '../../src/live/live-call.js';
import { silentLog, systemClock } from '../../src/platform.js';
import type { VoiceWindow } from '../../src/voice/embedding/voice-window.js';
import type { CheckpointReached } from '../../src/voice/engine.js';

describe('the checkpoints', () => {
  it.each([
    [0, 3000],
    [2990, 3000],
    [3000, 6000],
    [7000, 10_000],
    [10_000, 20_000],
    [35_000, 40_000],
    [4_000_000, Infinity],
  ])('behind %i ms are at %i ms', (heardMs, nextMs) => {
    expect(checkpointAfter(heardMs)).toBe(nextMs);
  });

  it('of the rest of a call depend on what another node has heard', () => {
    expect(checkpointsAfter(2000).slice(0, 3)).toEqual([1500, 4000, 8000]);
    expect(checkpointsAfter(4000).slice(0, 3)).toEqual([3000, 6000, 16_000]);
  });

  it('are looked for at the end of every window where an agent may be heard', () => {
    expect(checkpointsByWindow(0).slice(0, 7)).toEqual([3000, 6000, 10_000, 13_000, 16_000, 20_000, 23_000]);
    expect(checkpointsByWindow(8000)).toEqual(checkpointsByWindow(0));
    // A first decision that is waited for comes as soon as may be.
    expect(checkpointsByWindow(2000).slice(0, 2)).toEqual([1500, 3000]);
    expect(checkpointsByWindow(0).at(-1)).toBe(3600_000);
  });
});

interface Spoken {
  who: 'agent' | 'customer';
  netMs: number;
}

/** A call in which windows are spoken one by one; nothing but these is heard, and the customer's are told by their length in `embedding`. */
function sharedCall(spoken: readonly Spoken[], handover?: HandoverState) {
  const windows: VoiceWindow[] = [];
  const judged: number[] = [];
  const finals: number[] = [];
  const pointAt = (): CheckpointReached =>
    ({
      windows: [...windows],
      voice: { netMs: windows.reduce((sum, { netMs }) => sum + netMs, 0) },
      quality: {},
    }) as unknown as CheckpointReached;
  const rest = [...spoken];
  const ids = { liveCallId: 'c', gkScopeId: 's', gkEngagementId: 'e', gkSessionId: 's' };
  const parts: LiveCallParts = {
    info: { ...ids, protocol: 'd', startedAtMs: 0 },
    prints: [],
    externalCallId: '',
    resumeToken: '',
    resumeMs: 60_000,
    collects: false,
    pausesWhenDecided: false,
    isShared: true,
    ...(handover && { handover }),
    bytesPerSecond: 8000,
    detectors: {},
    alarms: { raised: {} },
    patience: new AbortController().signal,
    stream: {
      push: async () => {
        const next = rest.shift();
        if (next) {
          const embedding = new Float32Array([next.who === 'customer' ? 1 : 0]);
          windows.push({ startMs: 0, endMs: 1000, netMs: next.netMs, embedding });
        }
        return { netMs: 1, grossMs: 1, heldBytes: 0, spareMs: 0, checkpoints: next ? [pointAt()] : [] };
      },
      finish: async () => ({ ...pointAt(), checkpoints: [], spoof: {} }) as never,
      cancel: () => undefined,
    },
    decide: async (point, { before, dueMs, isLast }, current) => {
      const own = point.windows.filter(({ embedding }) => embedding[0] === 1);
      const netSpeechMs = own.reduce((sum, { netMs }) => sum + netMs, 0);
      if (own.length === 0 || netSpeechMs < dueMs) return { netSpeechMs };
      (isLast ? finals : judged).push(netSpeechMs);
      const decided = { decision: 'AUTHENTIC', reason: 'VOICEPRINT_MATCH', netSpeechMs } as const;
      if (before !== decided.decision) current(decided);
      return { netSpeechMs, decided };
    },
    keepOnce: async () => undefined,
    keep: async () => undefined,
    assessed: async () => undefined,
    answered: () => undefined,
    clock: systemClock,
    log: silentLog,
    waits: () => undefined,
    goesOn: () => undefined,
    ended: () => undefined,
  };
  const live = new LiveCall(parts);
  /** The next window, and how much the customer is said to have spoken. */
  const hear = async (): Promise<number> => {
    const heard = rest.length;
    await live.audio(new Uint8Array(8000));
    await expect.poll(() => rest.length).toBe(heard - 1);
    await new Promise((resolve) => setImmediate(resolve));
    return live.info.netSpeechMs;
  };
  return { live, judged, finals, hear };
}

const of = (who: Spoken['who'], ...netMs: number[]): Spoken[] => netMs.map((ms) => ({ who, netMs: ms }));

describe('a call in which the agent is heard too', () => {
  it('is judged when the customer has said enough, and tells how much that is', async () => {
    const { judged, hear, live } = sharedCall([
      ...of('agent', 3000, 3000, 4000),
      ...of('customer', 3000),
      ...of('agent', 3000, 4000),
      ...of('customer', 3000, 3000),
      ...of('agent', 4000),
      ...of('customer', 3000),
    ]);
    const told: number[] = [];
    for (let window = 0; window < 10; window++) told.push(await hear());
    expect(told).toEqual([0, 0, 0, 3000, 3000, 3000, 6000, 9000, 9000, 12_000]);
    expect(judged).toEqual([3000, 6000, 12_000]);
    expect(live.info.events.map(({ state, netSpeechMs }) => [state, netSpeechMs])).toEqual([
      ['LISTENING', 0],
      ['AUTHENTIC', 3000],
    ]);
  });

  it.each([
    ['nothing', 3000, [], 3000],
    ['more', 3000, [500], 3500],
  ])('is judged as a whole at its end, where %s was said since the last change', async (...said) => {
    const [, firstMs, laterMs, wholeMs] = said;
    const { judged, finals, hear, live } = sharedCall(of('customer', firstMs, ...laterMs));
    for (let window = 0; window <= laterMs.length; window++) await hear();
    expect(await live.finish('stopped')).toMatchObject({ state: 'AUTHENTIC', netSpeechMs: wholeMs });
    expect({ judged, finals }).toEqual({ judged: [firstMs], finals: [wholeMs] });
  });

  it('goes on at another node with what the customer has said', async () => {
    const first = sharedCall([...of('agent', 3000, 3000), ...of('customer', 2000)]);
    for (let window = 0; window < 3; window++) await first.hear();
    expect(first.judged).toEqual([]);
    first.live.attach(() => undefined);
    const handover = await first.live.moveAway();
    // All that was said would be enough, what the customer said is not.
    expect(first.judged).toEqual([]);
    expect(handover).toMatchObject({ customerMs: 2000 });
    const second = sharedCall([...of('agent', 1500), ...of('customer', 1500, 4000)], handover);
    expect(second.live.info.netSpeechMs).toBe(2000);
    expect([await second.hear(), await second.hear(), await second.hear()]).toEqual([2000, 3500, 7500]);
    expect(second.judged).toEqual([3500, 7500]);
  });
});
