// What a dry run says about the recordings that would make a print, based on their names and first bytes; no audio is
// processed.
import { openContext } from '../call/context.js';
import { whereOf, type Recording } from '../../manifest/lines.js';
import { channelsIn } from '../../voice/audio/audio-reader.js';
import { callersChannel } from '../rules/heard-channel.js';
import { requireSound, SoundlessRecording } from './fetch-recording.js';
import type { LineRun } from './line.js';
import { type Said, say } from '../../words/server/say.js';

interface DryRunOutcome {
  said: Said[];
  /** There are as many recordings as a print needs. */
  isEnough: boolean;
}

/** Throws if none of them contains any sound. */
export async function dryRunOutcome(run: LineRun, recordings: readonly Recording[]): Promise<DryRunOutcome> {
  const { deps, call, job, settings } = run;
  const names = recordings.map((each) => `${whereOf(each)} ${each.channel ?? ''}`);
  const once = recordings.filter((_, at) => names.indexOf(names[at] ?? '') === at);
  const soundless: SoundlessRecording[] = [];
  for (const recording of once) await lookAt(run, recording, soundless);
  const [first] = soundless;
  if (first && soundless.length === once.length) throw first;
  const { parameters } = await openContext(
    deps,
    call,
    { gkScopeId: job.gkScopeId, configsetId: settings.configsetId },
    { engagement: 'unused', session: 'unused', configset: 'mandatory', faults: [] },
  );
  const { segmentsMin } = parameters.enrollment;
  const usable = once.length - soundless.length;
  const count = recordings.length;
  const said = [
    count === 1 ? say('ONE_RECORDING') : say('RECORDINGS', { count }),
    ...(once.length < count ? [say('LISTED_TWICE', { count: count - once.length })] : []),
    ...soundless.map((each) => each.said),
    ...(usable < segmentsMin ? [say('PROBABLY_TOO_FEW', { min: segmentsMin })] : []),
  ];
  return { said, isEnough: usable >= segmentsMin };
}

async function lookAt(run: LineRun, recording: Recording, soundless: SoundlessRecording[]): Promise<void> {
  try {
    await requireSoundIn(run, recording);
  } catch (cause) {
    if (!(cause instanceof SoundlessRecording)) throw cause;
    soundless.push(cause);
  }
}

/** By its first bytes, unless it is already stored or not uploaded yet. */
export async function requireSoundIn({ deps, job }: LineRun, recording: Recording): Promise<void> {
  if (recording.upload !== undefined || recording.gkMediaSegmentId !== undefined) return;
  const head = await deps.recordings.head(job.gkScopeId, recording);
  if (head) requireSound(recording, head);
}

/** How many channels will be heard together, as far as that is known without processing. */
export async function channelsTogether({ deps, job }: LineRun, recording: Recording): Promise<number> {
  const { gkMediaSegmentId, upload, channel } = recording;
  if (upload !== undefined || (channel ?? 0) > 0) return 1;
  if (gkMediaSegmentId !== undefined) {
    const media = await deps.store.read.media.find(job.gkScopeId, gkMediaSegmentId);
    const isChosen = media && channel === undefined && callersChannel(media) !== undefined;
    return isChosen ? 1 : (media?.channels ?? 1);
  }
  const head = await deps.recordings.head(job.gkScopeId, recording);
  return head ? ((await channelsIn(head)) ?? 1) : 1;
}
