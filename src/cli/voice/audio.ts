// `voxgate audio inspect FILE`: what the engine hears in a recording, without a speaker model: quality, a strip that shows
// where the speech is, and what to do about bad audio. `audio compare` and `audio check` register themselves on the same
// parent command.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { bundledModelsDir } from '../../inference/engine.js';
import { defaultModel } from '../../inference/models/manifest.js';
import { decodeAudio } from '../../voice/audio/decode-audio.js';
import {
  defaultDecodeLimits,
  type DecodedAudio,
  type DecodeOptions,
  type RawEncoding,
} from '../../voice/audio/types.js';
import { createLogMelExtractor } from '../../voice/features/log-mel.js';
import { defaultGates, judgeAudio, judgeInvalid } from '../../voice/quality/judge-audio.js';
import { measureQuality } from '../../voice/quality/measure-quality.js';
import type { AudioQuality, AudioVerdict } from '../../voice/quality/types.js';
import { resample } from '../../voice/resample.js';
import { detectSpeech } from '../../voice/speech/detect-speech.js';
import { loadSpeechModel } from '../../voice/speech/speech-model.js';
import { readInput } from '../input-file.js';
import type { SpeechSegment } from '../../voice/speech/types.js';
import { voiceClassScore, type VoiceClass } from '../../voice/voice-class/voice-class-score.js';
import { commonFlags, runCommand, type CliIo, type CommonFlags } from '../io.js';

const STRIP_COLUMNS = 60;

interface InspectFlags extends CommonFlags {
  channel: number;
  enroll?: boolean;
  raw?: RawEncoding;
  rate: number;
  channels: number;
}

interface Inspection {
  verdict: AudioVerdict;
  media?: DecodedAudio;
  quality?: AudioQuality;
  segments: SpeechSegment[];
  voiceClass?: VoiceClass;
}

/** The parent of all `audio` commands, made by whoever comes first. */
export function audioCommand(program: Command): Command {
  return (
    program.commands.find((c) => c.name() === 'audio') ??
    program.command('audio').description('inspect, compare and check recordings')
  );
}

function whole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}

function encoding(text: string): RawEncoding {
  if (text !== 's16le' && text !== 'alaw' && text !== 'mulaw')
    throw new InvalidArgumentError('must be s16le, alaw or mulaw.');
  return text;
}

async function inspect(
  bytes: Uint8Array,
  modelsDir: string,
  options: DecodeOptions,
  purpose: 'enroll' | 'verify',
): Promise<Inspection> {
  const media = await decodeAudio(bytes, options);
  if (!media.ok) return { verdict: judgeInvalid(media), segments: [] };
  const folder =
    modelsDir !== '' && defaultModel(modelsDir, 'vad') !== undefined ? modelsDir : bundledModelsDir();
  const name = defaultModel(folder, 'vad');
  if (name === undefined) throw new Error(`there is no speech detection model in ${folder}`);
  const model = loadSpeechModel(readFileSync(join(folder, name, 'weights.bin')));
  const samples16k = resample(media.samples, media.sampleRateHz);
  const { data: logmel, frames } = createLogMelExtractor()(samples16k);
  const speech = detectSpeech(model, logmel, frames);
  const quality = measureQuality({ samples16k, source: media, logmel, speech });
  const voiceClass = voiceClassScore(samples16k, speech);
  return {
    verdict: judgeAudio(quality, defaultGates[purpose]),
    media,
    quality,
    segments: speech.segments,
    ...(voiceClass ? { voiceClass } : {}),
  };
}

/** A line of the given width: full blocks where there is mostly speech, light ones where there is some. */
export function speechStrip(segments: readonly SpeechSegment[], grossMs: number, columns: number): string {
  let strip = '';
  for (let c = 0; c < columns; c++) {
    const from = (grossMs * c) / columns;
    const to = (grossMs * (c + 1)) / columns;
    let covered = 0;
    for (const s of segments) covered += Math.max(0, Math.min(to, s.endMs) - Math.max(from, s.startMs));
    const share = covered / Math.max(1e-9, to - from);
    strip += share > 0.66 ? '█' : share > 0.33 ? '▓' : share > 0.05 ? '░' : '·';
  }
  return strip;
}

const round = (v: number, digits = 1): number => Number(v.toFixed(digits));

function asJson(file: string, i: Inspection): object {
  return {
    file,
    validity: i.verdict.validity,
    explanation: i.verdict.explanation,
    advice: i.verdict.advice,
    failed: i.verdict.failed.map((f) => f.validity),
    ...(i.media && {
      media: {
        container: i.media.container,
        codec: i.media.codec,
        sample_rate_hz: i.media.mediaSampleRateHz,
        channels: i.media.channels,
        selected_channel: i.media.selectedChannel ?? null,
        truncated: i.media.truncated,
        warnings: i.media.warnings,
      },
    }),
    ...(i.quality && {
      quality: {
        gross_audio_ms: Math.round(i.quality.grossMs),
        net_audio_ms: i.quality.netMs,
        snr_db: round(i.quality.snrDb),
        speech_level_dbfs: round(i.quality.speechLevelDbfs),
        peak_dbfs: round(i.quality.peakDbfs),
        saturated_per_minute: round(i.quality.saturatedPerMinute),
        bandwidth: i.quality.bandwidth,
        dropouts: i.quality.dropouts,
      },
    }),
    ...(i.voiceClass && {
      voice_class: {
        score: round(i.voiceClass.score),
        pitch_hz: round(i.voiceClass.pitchHz),
        formant_spread_hz: round(i.voiceClass.formantSpreadHz, 0),
      },
    }),
    speech: i.segments.map((s) => ({ start_ms: s.startMs, end_ms: s.endMs })),
  };
}

function asText(file: string, i: Inspection): string[] {
  const lines = [file];
  const { media: m, quality: q, voiceClass: v } = i;
  if (m) {
    const channel =
      m.selectedChannel === undefined
        ? ''
        : m.selectedChannel === 0
          ? ', all mixed'
          : `, channel ${m.selectedChannel}`;
    lines.push(
      `  Format     ${m.container} (${m.codec}), ${m.mediaSampleRateHz} Hz, ${m.channels} channel${m.channels > 1 ? 's' : ''}${channel}`,
    );
    for (const warning of m.warnings) lines.push(`  Note       ${warning}`);
  }
  if (q) {
    lines.push(`  Speech     ${(q.netMs / 1000).toFixed(1)} s of ${(q.grossMs / 1000).toFixed(1)} s`);
    lines.push(`             ${speechStrip(i.segments, q.grossMs, STRIP_COLUMNS)}`);
    if (q.netMs > 0) {
      lines.push(
        `  Level      ${q.speechLevelDbfs.toFixed(0)} dBFS, ${Math.round(q.saturatedPerMinute)} clipped samples per minute`,
      );
      lines.push(
        `  Noise      ${q.snrDb.toFixed(0)} dB signal to noise${q.dropouts > 0 ? `, ${q.dropouts} dropouts` : ''}`,
      );
      lines.push(`  Bandwidth  ${q.bandwidth}`);
    }
  }
  if (v) lines.push(`  Voice      class ${v.score.toFixed(0)} of 100, pitch ${v.pitchHz.toFixed(0)} Hz`);
  lines.push(`  Verdict    ${i.verdict.validity}: ${i.verdict.explanation}`);
  for (const failure of i.verdict.failed) lines.push(`  To do      ${failure.advice}`);
  return lines;
}

export function registerAudio(program: Command, io: CliIo): void {
  commonFlags(
    audioCommand(program)
      .command('inspect')
      .description('report the speech and quality of a recording, with advice')
      .argument('<file>', 'WAV, FLAC, MP3, Ogg, WebM, or headerless with --raw'),
  )
    .option('--channel <number>', '1 left, 2 right, 0 all channels mixed', whole, 0)
    .option('--enroll', 'judge by the stricter limits of enrollment, as a new config set has them')
    .option('--raw <encoding>', 'headerless audio: s16le, alaw or mulaw', encoding)
    .option('--rate <hz>', 'sampling rate of headerless audio', whole, 8000)
    .option('--channels <number>', 'channels of headerless audio', whole, 1)
    .action((file: string, flags: InspectFlags) =>
      runCommand(io, flags, async () => {
        // The decoder names its own limit; this only keeps a huge file out of memory.
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 2 * defaultDecodeLimits.maxBytes)
          throw new Error(`${file} is larger than ${defaultDecodeLimits.maxBytes} bytes`);
        const options: DecodeOptions = {
          channel: flags.channel,
          ...(flags.raw && {
            raw: { encoding: flags.raw, sampleRateHz: flags.rate, channels: flags.channels },
          }),
        };
        const result = await inspect(
          readInput(file),
          io.loadConfig(flags).engine.modelsDir,
          options,
          flags.enroll ? 'enroll' : 'verify',
        );
        if (flags.json) io.out(JSON.stringify(asJson(file, result)));
        else for (const line of asText(file, result)) io.out(line);
        // Scripts that sort recordings want to know without reading the text.
        if (result.verdict.validity !== 'AUDIO_OK') io.exit(2);
      }),
    );
}
