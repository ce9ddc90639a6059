// Two people in one recording: how often a stranger who hands over to the owner is accepted, and what looking at stretches
// costs the owner alone, in recordings as they are and in several joined. Made from a folder of recordings, one folder per speaker
// with at least six each.
//
// usage: npx tsx bench/two-speakers.ts CORPUS [--half a|b] [--seconds 14,6]
// A print is made of three recordings, the rest is spoken one after the other. --half takes every second speaker, so that
// lines can be chosen on one half and reported on the other; --seconds is what the stranger and the owner speak.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { defaultParameters } from '../src/biometrics/model/parameters.js';
import { SHORT_STRETCH_NET_MS, STRETCH_NET_MS, stretchAgainstOwner } from '../src/biometrics/rules/judge-stretches.js'; // prettier-ignore
import { findRecordings } from '../src/cli/recordings/corpus.js';
import { processIo } from '../src/cli/io.js';
import { withEngine } from '../src/cli/recordings/engine.js';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { joinedFloats } from '../src/voice/float-buffers.js';
import { encodeWav } from '../src/voice/audio/encode-wav.js';
import type { ProcessedAudio, VoiceEngine } from '../src/voice/engine.js';
import { thresholdForFar } from '../src/voice/scoring/risk.js';
import { scoreSample } from '../src/voice/scoring/score.js';
import type { VoiceSample } from '../src/voice/scoring/speaker-model.js';
import { stretchesOf } from '../src/voice/scoring/stretches.js';
import { buildTemplate, type Template } from '../src/voice/scoring/template.js';

const ENROLLED = 3;
/** The stranger is another speaker, not a neighbor in the list: neighbors may be one session. */
const STRANGER_STEP = 7;
const { authentication } = defaultParameters;

interface Speaker {
  name: string;
  template: Template;
  /** What is not in the print, one recording after the other. */
  recordings: Float32Array[];
  sampleRateHz: number;
}

interface Counts {
  recordings: number;
  acceptedByWhole: number;
  accepted: number;
}

async function speakersOf(engine: VoiceEngine, corpus: string): Promise<Speaker[]> {
  const all = findRecordings(corpus);
  const speakers: Speaker[] = [];
  for (const name of [...new Set(all.map(({ speaker }) => speaker))].sort()) {
    const recordings = all.filter(({ speaker }) => speaker === name);
    if (recordings.length < 2 * ENROLLED) continue;
    const voices: VoiceSample[] = [];
    for (const { file } of recordings.slice(0, ENROLLED)) {
      const { voice } = await engine.processAudio(await readFile(file));
      if (voice) voices.push(voice);
    }
    const rest: Float32Array[] = [];
    let sampleRateHz = 0;
    for (const { file } of recordings.slice(ENROLLED)) {
      const audio = await decodeAudio(await readFile(file));
      if (!audio.ok) continue;
      sampleRateHz = audio.sampleRateHz;
      rest.push(audio.samples);
    }
    if (voices.length > 0 && rest.length > 0)
      speakers.push({
        name,
        template: buildTemplate(engine.model, voices),
        recordings: rest,
        sampleRateHz,
      });
  }
  return speakers;
}

/** Whether the whole alone would be accepted, and whether it still is when its stretches have a say. */
function judge(
  engine: VoiceEngine,
  template: Template,
  audio: ProcessedAudio,
): [whole: boolean, both: boolean] {
  const { voice, windows, speakerChange } = audio;
  if (!voice) return [false, false];
  const llr = (sample: VoiceSample): number => scoreSample(engine.model, template, sample).llr;
  const whole = llr(voice) >= thresholdForFar(engine.model, authentication.falseAcceptRate);
  const scored = (netMs: number) =>
    stretchesOf(voice, windows, netMs).map(({ sample, startMs, endMs }) => ({
      startMs,
      endMs,
      llr: llr(sample),
      reliability: 0,
    }));
  const evidence = {
    stretches: scored(STRETCH_NET_MS),
    shortStretches: scored(SHORT_STRETCH_NET_MS),
    speakerChange,
  };
  return [whole, whole && !stretchAgainstOwner(evidence, authentication.stretchLlrMin, engine.model)];
}

async function measure(
  engine: VoiceEngine,
  speakers: readonly Speaker[],
  [strangerSeconds, ownerSeconds]: readonly [number, number],
): Promise<{ strangerThenOwner: Counts; ownerAlone: Counts; ownerJoined: Counts }> {
  const empty = (): Counts => ({ recordings: 0, acceptedByWhole: 0, accepted: 0 });
  const counts = { strangerThenOwner: empty(), ownerAlone: empty(), ownerJoined: empty() };
  const note = async (into: Counts, owner: Speaker, samples: Float32Array): Promise<void> => {
    const audio = await engine.processAudio(encodeWav(samples, owner.sampleRateHz));
    const [whole, both] = judge(engine, owner.template, audio);
    into.recordings += 1;
    into.acceptedByWhole += Number(whole);
    into.accepted += Number(both);
  };
  for (const [index, owner] of speakers.entries()) {
    const stranger = speakers[(index + STRANGER_STEP) % speakers.length];
    for (const recording of owner.recordings) await note(counts.ownerAlone, owner, recording);
    await note(counts.ownerJoined, owner, joinedFloats(owner.recordings));
    if (!stranger || stranger === owner || stranger.sampleRateHz !== owner.sampleRateHz) continue;
    const before = joinedFloats(stranger.recordings).subarray(0, strangerSeconds * owner.sampleRateHz);
    const after = joinedFloats(owner.recordings).subarray(0, ownerSeconds * owner.sampleRateHz);
    await note(counts.strangerThenOwner, owner, joinedFloats([before, after]));
  }
  return counts;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string' }, seconds: { type: 'string', default: '14,6' } },
});
const [CORPUS] = positionals;
const [STRANGER_SECONDS = 0, OWNER_SECONDS = 0] = values.seconds.split(',').map(Number);
if (!CORPUS || !(STRANGER_SECONDS > 0) || !(OWNER_SECONDS > 0)) {
  console.error('usage: npx tsx bench/two-speakers.ts CORPUS [--half a|b] [--seconds STRANGER,OWNER]');
  process.exit(2);
}
const counts = await withEngine(processIo(), {}, async (engine) => {
  const all = await speakersOf(engine, CORPUS);
  const wanted = values.half === 'a' ? 0 : 1;
  const speakers = values.half === undefined ? all : all.filter((_, index) => index % 2 === wanted);
  return measure(engine, speakers, [STRANGER_SECONDS, OWNER_SECONDS]);
});
console.log(JSON.stringify(counts, undefined, 2));
process.exit(0);
