// InspectAudio: shows people what is in a recording, and stores what decoding revealed about the media.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { InspectedAudio, MediaInfo } from '../../voice/engine.js';
import { openContext, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { EngineDeps } from '../ports/deps.js';
import type { MediaSegment } from '../model/media.js';
import { audioGates, rawFormatOf, requireUploaded } from '../rules/media-for-engine.js';
import { say } from '../../words/server/say.js';

interface InspectInput {
  context: RequestContext;
  gkMediaSegmentId: string;
  channel?: number;
  /** 0: the default. */
  envelopePoints: number;
  /** 0: the default; -1: none. */
  spectrogramColumns: number;
}

const ENVELOPE_DEFAULT = 800;
const ENVELOPE_MAX = 4000;
const COLUMNS_DEFAULT = 600;
const COLUMNS_MAX = 2000;

export async function inspectAudio(
  deps: EngineDeps,
  call: Call,
  input: InspectInput,
): Promise<InspectedAudio> {
  const { gkScopeId, parameters } = await openContext(deps, call, input.context, {
    engagement: 'unused',
    session: 'unused',
    configset: 'optional',
    faults: faultsOf(input).found,
  });
  const media = await deps.store.read.media.find(gkScopeId, input.gkMediaSegmentId);
  if (!media) throw notFound('media segment', 'gk_media_segment_id');
  requireUploaded(media);
  const raw = rawFormatOf(media);
  const inspected = await deps.engine.inspectAudio(
    deps.mediaBytes.read(media),
    {
      ...(input.channel !== undefined && { channel: input.channel }),
      ...(raw && { raw }),
      gates: audioGates(parameters, false),
      client: call.caller.clientId,
      envelopePoints: input.envelopePoints || ENVELOPE_DEFAULT,
      spectrogramColumns: input.spectrogramColumns === -1 ? 0 : input.spectrogramColumns || COLUMNS_DEFAULT,
      ...(call.deadlineAtMs !== undefined && { deadlineAtMs: call.deadlineAtMs }),
    },
    call.signal,
  );
  if (inspected.media) await rememberFacts(deps, media, inspected.media);
  return inspected;
}

function faultsOf(input: InspectInput): Faults {
  const faults = new Faults().required('gk_media_segment_id', input.gkMediaSegmentId);
  const bounded = (field: string, value: number, least: number, most: number) => {
    if (value >= least && value <= most) return;
    faults.add({
      field,
      violation: 'OUT_OF_RANGE',
      ...say('OUT_OF_RANGE', { min: least, max: most }),
      value: String(value),
    });
  };
  bounded('envelope_points', input.envelopePoints, 0, ENVELOPE_MAX);
  bounded('spectrogram_columns', input.spectrogramColumns, -1, COLUMNS_MAX);
  bounded('channel_selector.channel', input.channel ?? 0, 0, 8);
  return faults;
}

async function rememberFacts(deps: EngineDeps, media: MediaSegment, facts: MediaInfo): Promise<void> {
  if (media.lengthMs !== undefined) return;
  await deps.store.transaction(async (tx) => {
    const current = await tx.media.find(media.gkScopeId, media.gkMediaSegmentId);
    if (!current || current.lengthMs !== undefined) return;
    const { durationMs, sampleRateHz, channels } = facts;
    await tx.media.update({
      ...current,
      lengthMs: durationMs,
      sampleRateHz,
      channels,
      modifiedAtMs: deps.clock.now(),
    });
  });
}
