// Recordings of checks that a print is to be made from, processed in full, as ProcessAudio does for enrollment: a check stops
// listening once it has decided, and what only a check has heard may not be enrolled
// (docs/reference/voiceprint-contract.md#enrollment).
// The result is stored together with the print or not at all, so that a refused step leaves nothing behind; what was processed
// before is reused.
import { AppError } from '../../errors.js';
import type { ProcessedAudio } from '../model/media.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { OpenedCall } from '../operations/opened-call.js';
import { type PreparedAudio, processMedia } from '../operations/audio-input.js';
import { storeAudio } from '../operations/record.js';
import { say } from '../../words/server/say.js';

interface WholeRecordings {
  /** In the requested order, each replacing the audio that was named. */
  ids: readonly string[];
  audios: readonly ProcessedAudio[];
  /** The named ID for each one used in its place. */
  askedAs: ReadonlyMap<string, string>;
  made: readonly PreparedAudio[];
}

/**
 * Those that only a check has heard, or all of them; then a recording that no print can be made from is refused, with the reason.
 */
export async function hearWhole(
  opened: OpenedCall,
  named: readonly string[],
  areAllWanted: boolean,
): Promise<WholeRecordings> {
  const { gkScopeId } = opened.context;
  const found = await opened.deps.store.read.processedAudios.findMany(gkScopeId, [...new Set(named)]);
  const byId = new Map<string, ProcessedAudio>();
  const made: PreparedAudio[] = [];
  for (const audio of found) {
    const isWanted = areAllWanted || audio.heardInCheck === true;
    const heard = isWanted ? await wholeOf(opened, audio) : asItIs(audio);
    if (areAllWanted) refuseUnusable(heard.audio, audio.gkProcessedAudioId);
    if (heard.isNew) made.push(heard);
    byId.set(audio.gkProcessedAudioId, heard.audio);
  }
  const idOf = (asked: string): string => byId.get(asked)?.gkProcessedAudioId ?? asked;
  return {
    ids: named.map(idOf),
    audios: [...byId.values()],
    askedAs: new Map(named.map((asked) => [idOf(asked), asked])),
    made,
  };
}

export async function storeWhole(tx: BiometricsTransaction, { made }: WholeRecordings): Promise<void> {
  for (const prepared of made) await storeAudio(tx, prepared);
}

function refuseUnusable({ validity }: ProcessedAudio, asked: string): void {
  if (validity === 'AUDIO_OK') return;
  const said = say('RECORDING_UNUSABLE', { recording: asked, reason: validity });
  throw new AppError('INVALID_REQUEST', said, {
    fields: [{ field: 'gk_processed_audio_ids', violation: 'OTHER', ...said }],
    diagnostics: [{ code: validity, extras: { gk_processed_audio_id: asked } }],
  });
}

async function wholeOf(opened: OpenedCall, audio: ProcessedAudio): Promise<PreparedAudio> {
  const { read } = opened.deps.store;
  const { gkScopeId, gkMediaSegmentId, selectedChannel } = audio;
  if (isWhole(opened, audio)) return asItIs(audio);
  const media = gkMediaSegmentId ? await read.media.find(gkScopeId, gkMediaSegmentId) : undefined;
  // A live call cannot be processed again.
  if (!media?.blob) return asItIs(audio);
  const before = (await read.processedAudios.listByMedia(gkScopeId, gkMediaSegmentId)).findLast(
    (other) => other.selectedChannel === selectedChannel && isWhole(opened, other),
  );
  if (before) return asItIs(before);
  return processMedia(
    opened,
    { media, channel: selectedChannel },
    {
      forEnrollment: true,
      checkpointSeconds: [],
      spoof: { synthetic: false, playback: false },
      printType: 'VOICEPRINT',
    },
  );
}

const asItIs = (audio: ProcessedAudio): PreparedAudio => ({ audio, isNew: false, spoof: {} });

function isWhole({ deps: { engine } }: OpenedCall, audio: ProcessedAudio): boolean {
  const { forEnrollment, endedByCheckpoint, damaged, printType, model } = audio;
  return (
    forEnrollment &&
    !endedByCheckpoint &&
    !damaged &&
    printType === 'VOICEPRINT' &&
    model?.voice.modelRevision === engine.model.revision
  );
}
