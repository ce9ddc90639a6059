// `voxgate live send FILE`: plays a recording in real time into a running server and prints what it says. An example of a sender;
// those of telephone systems are imitated in tools/live.
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
import { sendByGrpc } from './grpc-sender.js';
import { printer } from './print-events.js';
import { RATE_HZ, type Sender } from './sender.js';
import { sendByWebSocket } from './websocket-sender.js';
import { inEnglish } from '../../words/server/say.js';

const FRAME_MS = 20;
const FRAMES_PER_SECOND = 1000 / FRAME_MS;
const WAV_HEADER_BYTES = 44;

const protocols = { websocket: sendByWebSocket, grpc: sendByGrpc } as const;

export interface PlayFlags {
  channel: string;
  speed: string;
  json?: boolean;
}

interface SendFlags extends PlayFlags {
  protocol: keyof typeof protocols;
  server: string;
  streamToken?: string;
  token?: string;
  question?: string;
}

export function registerSend(live: Command, io: CliIo): void {
  playFlags(live.command('send <file>'))
    .description('play a recording into a running server and print the events, the decision last')
    .addOption(
      new Option('--protocol <name>', 'how to send it').choices(Object.keys(protocols)).default('websocket'),
    )
    .requiredOption('--server <address>', 'http://HOST:PORT, or HOST:PORT for gRPC')
    .option('--stream-token <token>', 'stream token from PrepareCall, if the call was prepared')
    .option('--token <token>', 'bearer token; always needed for gRPC and --question')
    .option('--question <json>', 'context and target of a call that was not prepared')
    .action((file: string, flags: SendFlags) => runCommand(io, flags, () => send(io, file, flags)));
}

/** How a recording is played, on a command. */
export const playFlags = (command: Command): Command =>
  command
    .option('--channel <number>', 'channel of the recording to send; 0 mixes all', '0')
    .option('--speed <factor>', 'multiple of real time; 0 is as fast as the server can listen', '1')
    .option('--json', 'print each event as one JSON object');

async function send(io: CliIo, file: string, flags: SendFlags): Promise<void> {
  const { server, token, protocol } = flags;
  const target = { server, token, call: callOf(flags) };
  await playInto(file, flags, 'mu-law', () => protocols[protocol](target, printer(io, flags.json)));
}

function callOf({ streamToken, question }: SendFlags): Record<string, JsonValue> {
  if (streamToken !== undefined) return { streamToken };
  if (question === undefined)
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish('name the call: --stream-token, or --question with --token'),
    );
  return { question: questionIn(question) };
}

export function questionIn(question: string): Record<string, JsonValue> {
  let asked: Record<string, JsonValue>;
  try {
    asked = JSON.parse(question) as Record<string, JsonValue>;
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', inEnglish('--question is not JSON'), { cause });
  }
  const context = JSON.stringify(asked?.['context'] ?? {});
  const missing = inContext.filter(
    ([name, protoName]) => ![name, protoName].some((key) => context.includes(`"${key}"`)),
  );
  if (missing.length > 0)
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(
        `the context of --question lacks ${missing.map(([name]) => name).join(', ')}: ` +
          'start a session (POST /v1/sessions/start), which answers the IDs of the engagement and the session, and give them with the tenant: ' +
          '{"context": {"gkScopeId": {"value": "..."}, "gkEngagementId": {"value": "..."}, "gkSessionId": {"value": "..."}}, "target": {...}}',
      ),
    );
  return asked;
}

/** Every live call belongs to a session; both spellings are understood. */
const inContext = [
  ['gkScopeId', 'gk_scope_id'],
  ['gkEngagementId', 'gk_engagement_id'],
  ['gkSessionId', 'gk_session_id'],
] as const;

/** Plays a recording into the sender that `open` opens, and waits until the server has said all. */
export async function playInto(
  file: string,
  flags: PlayFlags,
  encoding: 'mu-law' | 'linear',
  open: () => Promise<Sender>,
): Promise<void> {
  const speed = Number(flags.speed);
  if (!(speed >= 0)) throw new AppError('INVALID_REQUEST', inEnglish('--speed must be 0 or more'));
  const audio = await decodeAudio(new Uint8Array(readInput(file)), { channel: Number(flags.channel) });
  if (!audio.ok) throw new AppError('INVALID_REQUEST', inEnglish(audio.reason));
  const samples = resample(audio.samples, audio.sampleRateHz, RATE_HZ);
  const linear = encoding === 'linear';
  const bytes = linear ? encodeWav(samples, RATE_HZ).subarray(WAV_HEADER_BYTES) : encodeMuLaw(samples);
  const sender = await open();
  await play(sender, bytes, ((linear ? 2 : 1) * RATE_HZ) / FRAMES_PER_SECOND, speed);
  await sender.stop();
  await sender.ended;
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
