// The runtime event log: where events come from (token service, transport, decisions) and how they are kept.
import type { AuthEvent, AuthEvents } from '../auth/ports.js';
import { DecisionReason as AudioReason } from '../gen/vendor/biosec/v1/audio/types_pb.js';
import { Decision } from '../gen/vendor/biosec/v1/common_pb.js';
import { DecisionReason as VoiceprintReason } from '../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { EventWriter } from '../events/event-writer.js';
import type { EventSink } from '../events/model.js';
import type { EventStore } from '../events/ports.js';
import { eventStore } from '../storage/events/event-store.js';
import type { CallRecord } from '../transport/dispatch/exchange.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';
import { DAY_MS } from '../platform.js';
import { isTimeProven } from './time-proof.js';

export interface Events {
  store: EventStore;
  /** For whoever has something to tell about an application, such as decisions. */
  sink: EventSink;
  fromAuth: AuthEvents;
  /** Everything recorded so far is in the store. */
  flush(): Promise<void>;
}

const FLUSH_MS = 1000;
const PENDING_MAX = 20_000;
/** Reading the log must not write into it, or a reader that follows it would never come to the end. */
const notRecorded = new Set(['voxgate.management.v1.EventLog']);

export function composeEvents(core: Core, storage: Storage): Part & Events {
  const { clock, log, config } = core;
  const { eventDays, eventsMax } = config.retention;
  const store = eventStore(storage.database);
  const options = {
    flushMs: FLUSH_MS,
    pendingMax: PENDING_MAX,
    retentionMs: eventDays * DAY_MS,
    countMax: eventsMax,
    isTimeProven: () => isTimeProven(core),
  };
  const writer = new EventWriter({ store, clock, log }, options);
  return {
    store,
    sink: writer,
    fromAuth: {
      record: (event, atMs) =>
        writer.record({
          type: event.type,
          atMs,
          appId: event.appId,
          clientId: event.clientId,
          requestId: event.requestId,
          outcome: event.error ?? 'OK',
          attributes: attributesOf(event),
        }),
    },
    onCall: (call) => recordCall(writer, clock.now(), call),
    flush: () => writer.flush(),
    stop: () => writer.stop(),
  };
}

/** One by one: with every token, a list of names to go through cost as much as the rest of its event here. */
function attributesOf(event: AuthEvent): Record<string, string> {
  const found: Record<string, string> = {};
  if (event.userId !== undefined) found['user_id'] = event.userId;
  if (event.method !== undefined) found['method'] = event.method;
  if (event.reason !== undefined) found['reason'] = event.reason;
  if (event.address !== undefined) found['address'] = event.address;
  if (event.scope !== undefined) found['scope'] = event.scope;
  if (event.jti !== undefined) found['jti'] = event.jti;
  if (event.traceId !== undefined) found['trace_id'] = event.traceId;
  if (event.endpoint !== undefined) found['endpoint'] = event.endpoint;
  if (event.count !== undefined) found['count'] = event.count.toString();
  return found;
}

/**
 * A call, and the decision it came to when it came to one. Calls of people are not here: what they change is in the
 * audit trail, how often they look is in the metrics.
 */
function recordCall(sink: EventSink, atMs: number, call: CallRecord): void {
  const { service, method, transport, code, denial, elapsedMs, requestId, traceId, caller } = call;
  if (caller?.appId === undefined || notRecorded.has(service)) return;
  const { appId, clientId } = caller;
  const common = { atMs, appId, clientId, requestId, gkScopeId: tenantOf(call) };
  const { decision, reason } = (call.response as Decided | undefined)?.result ?? {};
  if (decision && !call.isRepeat) {
    const attributes = present({
      service,
      method,
      trace_id: traceId,
      reason: reason ? reasons[service]?.[reason] : undefined,
    });
    sink.record({ type: 'decision', ...common, outcome: Decision[decision] ?? String(decision), attributes });
  }
  sink.record({
    type: 'call',
    ...common,
    outcome: code,
    attributes: {
      service,
      method,
      transport,
      latency_ms: (Math.round(elapsedMs * 10) / 10).toString(),
      ...(traceId === undefined ? {} : { trace_id: traceId }),
      ...(denial === undefined ? {} : { reason: denial }),
    },
  });
}

/** Responses of operations that decide; a decision of 0 is none. */
interface Decided {
  result?: { decision?: number; reason?: number };
}

/** Reasons are numbered per service. */
const reasons: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'vendor.biosec.v1.voiceprint.VoiceprintsProcessor': VoiceprintReason,
  'vendor.biosec.v1.audio.AudioProcessor': AudioReason,
};

function tenantOf({ request }: CallRecord): string | undefined {
  const { context, gkScopeId } = (request ?? {}) as {
    context?: { gkScopeId?: { value?: string } };
    gkScopeId?: { value?: string } | string;
  };
  const own = typeof gkScopeId === 'string' ? gkScopeId : gkScopeId?.value;
  return (context?.gkScopeId?.value ?? own) || undefined;
}

function present(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
