// `voxgate live send FILE`: plays a recording in real time into a door of a running server and prints what it says: an
// example of a sender, and the way to try a telephone system's configuration without one. `voxgate live watch ID` prints what
// becomes of a call that somebody else sends.
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonValue } from '@bufbuild/protobuf';
import { Option, type Command } from 'commander';
import { AppError } from '../../errors.js';
import { decodeAudio } from '../../voice/audio/decode-audio.js';
import { encodeMuLaw } from '../../voice/audio/encode-mulaw.js';
import { encodeWav } from '../../voice/audio/encode-wav.js';
import { resample } from '../../voice/resample.js';
import { readInput } from '../input-file.js';
import { runCommand, type CliIo } from '../io.js';
import { sendByAudiohook } from './audiohook-sender.js';
import { sendByAudiosocket } from './audiosocket-sender.js';
import { followEvents, type CallProgress, type Following } from './follow-events.js';
import { sendByGrpc } from './grpc-sender.js';
import { watchByGrpc } from './grpc-watcher.js';
import { RATE_HZ, type LiveTarget, type OnEvent, type Sender, type SentEvent } from './sender.js';
import {
  eventsOf,
  takesQuestionItself,
  questionIn,
  withCall,
  type CallFlags,
  type DoorName,
} from './sent-call.js';
import { sendByTwilio } from './twilio-sender.js';
import { sendByWebSocket } from './websocket-sender.js';

const FRAME_MS = 20;
const FRAMES_PER_SECOND = 1000 / FRAME_MS;
const WAV_HEADER_BYTES = 44;
const STATE_WIDTH = 16;

const doors = {
  websocket: sendByWebSocket,
  grpc: sendByGrpc,
  twilio: sendByTwilio,
  audiohook: sendByAudiohook,
  audiosocket: sendByAudiosocket,
} as const satisfies Record<DoorName, unknown>;

interface SendFlags extends CallFlags {
  channel: string;
  speed: string;
  json?: boolean;
}

export function registerLive(program: Command, io: CliIo): void {
  const live = program.command('live').description('send audio as a telephone system does, and follow calls');
  live
    .command('send <file>')
    .description('play a recording into a running server and print the events, the decision last')
    .addOption(new Option('--door <name>', 'how to send it').choices(Object.keys(doors)).default('websocket'))
    .requiredOption('--server <address>', 'http://HOST:PORT, or HOST:PORT for gRPC and AudioSocket')
    .option('--stream-token <token>', 'stream token from PrepareCall, if the call was prepared')
    .option('--token <token>', 'bearer token; always needed for gRPC, --question and --call')
    .option('--question <json>', 'context and target of a call that was not prepared')
    .option('--call <id>', 'the prepared call, whose events are read where the protocol reports none')
    .option('--api <address>', 'http://HOST:PORT of the API, for AudioSocket')
    .option('--api-key <key>', 'API key of the AudioHook integration')
    .option('--secret <text>', 'secret of the AudioHook integration (base64), or the Twilio auth token')
    .option('--conversation <id>', 'AudioHook: the external ID the call was prepared with')
    .option('--uuid <uuid>', 'AudioSocket: the ID of the prepared call, or its external ID')
    .option('--follow <url>', 'address of the events, /v1/live/ID/events, if they are read elsewhere')
    .option('--no-follow', 'send only, where the protocol reports no events')
    .option('--channel <number>', 'channel of the recording to send; 0 mixes all', '0')
    .option('--speed <factor>', 'multiple of real time; 0 is as fast as the server can listen', '1')
    .option('--json', 'print each event as one JSON object')
    .action((file: string, flags: SendFlags) => runCommand(io, flags, () => send(io, file, flags)));
  live
    .command('watch <id>')
    .description('print the events of a prepared, running or ended call until it is over')
    .requiredOption('--server <address>', 'http://HOST:PORT, or HOST:PORT with --by grpc')
    .addOption(new Option('--by <way>', 'how to follow it').choices(['events', 'grpc']).default('events'))
    .option('--token <token>', 'bearer token, or with --by events the token of an agent')
    .option('--after <number>', 'only events after this one')
    .option('--progress', 'also report how much speech was heard in between')
    .option('--json', 'print each event as one JSON object')
    .action((id: string, flags: WatchFlags) => runCommand(io, flags, () => watch(io, id, flags)));
}

interface WatchFlags {
  server: string;
  by: 'events' | 'grpc';
  token?: string;
  after?: string;
  progress?: boolean;
  json?: boolean;
}

async function watch(
  io: CliIo,
  id: string,
  { server, by, token, after, progress, json }: WatchFlags,
): Promise<void> {
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw new AppError('INVALID_REQUEST', '--after must be the number of an event');
  const following: Following = {
    token,
    after,
    ...(progress && { onProgress: (now) => io.out(json ? JSON.stringify({ progress: now }) : soFar(now)) }),
  };
  const print = printer(io, json);
  if (by === 'grpc') return watchByGrpc(server, id, following, print);
  const url = new URL(`/v1/live/${encodeURIComponent(id)}/events${progress ? '?progress=1' : ''}`, server);
  return followEvents(url.href, following, print);
}

const printer =
  (io: CliIo, json: boolean | undefined): OnEvent =>
  (event) =>
    io.out(json ? JSON.stringify(event) : inWords(event));

const soFar = ({ netSpeech = '0s', position = '0s' }: CallProgress): string =>
  `${''.padEnd(STATE_WIDTH)} ${netSpeech} of speech in ${position}`;

async function send(io: CliIo, file: string, flags: SendFlags): Promise<void> {
  const speed = Number(flags.speed);
  if (!(speed >= 0)) throw new AppError('INVALID_REQUEST', '--speed must be 0 or more');
  const { server, token, door } = flags;
  const call = takesQuestionItself(door) ? callOf(flags) : {};
  const audio = await decodeAudio(new Uint8Array(readInput(file)), { channel: Number(flags.channel) });
  if (!audio.ok) throw new AppError('INVALID_REQUEST', audio.reason);
  const samples = resample(audio.samples, audio.sampleRateHz, RATE_HZ);
  const linear = door === 'audiosocket';
  const bytes = linear ? encodeWav(samples, RATE_HZ).subarray(WAV_HEADER_BYTES) : encodeMuLaw(samples);
  const print = printer(io, flags.json);
  const keys = await withCall(flags);
  const events = eventsOf(keys);
  const followed = events === undefined ? undefined : followEvents(events, { token }, print);
  followed?.catch(() => undefined);
  const target: LiveTarget = { server, token, keys, call };
  const sender = await doors[door](target, print);
  await play(sender, bytes, ((linear ? 2 : 1) * RATE_HZ) / FRAMES_PER_SECOND, speed);
  await sender.stop();
  await sender.ended;
  await followed;
}

function callOf({ streamToken, question }: SendFlags): Record<string, JsonValue> {
  if (streamToken !== undefined) return { streamToken };
  if (question === undefined)
    throw new AppError('INVALID_REQUEST', 'name the call: --stream-token, or --question with --token');
  return { question: questionIn(question) };
}

async function play(sender: Sender, bytes: Uint8Array, frameBytes: number, speed: number): Promise<void> {
  const begunAtMs = performance.now();
  for (let at = 0; at < bytes.length && !sender.isOver(); at += frameBytes) {
    await sender.audio(bytes.subarray(at, at + frameBytes));
    if (speed === 0) continue;
    const dueMs = (at + frameBytes) / (frameBytes / FRAME_MS) / speed;
    const early = dueMs - (performance.now() - begunAtMs);
    if (early > 0) await pause(early);
  }
}

function inWords({ state = '', reason = '', netSpeech = '0s', risk, endReason }: SentEvent): string {
  const facts = [
    `${netSpeech} of speech`,
    ...(risk === undefined ? [] : [`risk ${risk}`]),
    reason.toLowerCase(),
  ];
  return `${state.padEnd(STATE_WIDTH)} ${facts.join(', ')}${endReason ? ` (${endReason})` : ''}`;
}
