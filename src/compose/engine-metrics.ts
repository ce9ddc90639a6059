// The voice engine's figures for whoever scrapes the metrics.
import type { OwnMetric } from '../transport/metrics.js';
import type { EngineStats, VoiceEngine } from '../voice/engine.js';

const described: readonly [figure: keyof EngineStats, type: OwnMetric['type'], name: string, help: string][] = [
  ['workers', 'gauge', 'workers_max', 'Maximum number of voice workers'],
  ['loaded', 'gauge', 'workers_loaded', 'Voice workers that have their models in memory'],
  ['busy', 'gauge', 'workers_busy', 'Voice workers that are busy'],
  ['warned', 'gauge', 'workers_fallback', 'Voice workers with a network that is not packed for this processor: it runs, or starts, more slowly'],
  ['queued', 'gauge', 'queue_length', 'Voice jobs that are waiting'],
  ['suspended', 'gauge', 'jobs_suspended', 'Voice jobs that were suspended in favor of others and are waiting to continue'],
  ['heldBytes', 'gauge', 'held_bytes', 'Memory used by recordings that voice workers have begun to process'],
  ['streams', 'gauge', 'streams_open', 'Audio streams being listened to'],
  ['processed', 'counter', 'jobs_total', 'Voice jobs done'],
  ['failed', 'counter', 'jobs_failed_total', 'Voice jobs that failed, were canceled or came too late'],
  ['rejected', 'counter', 'jobs_rejected_total', 'Voice jobs refused because the queue was full'],
  ['restarts', 'counter', 'worker_restarts_total', 'Voice workers that ended unexpectedly'],
]; // prettier-ignore

export const engineMetrics = (engine: VoiceEngine): OwnMetric[] =>
  described.map(([figure, type, name, help]) => ({
    name: `voxgate_engine_${name}`,
    type,
    help,
    value: () => engine.stats()[figure],
  }));
