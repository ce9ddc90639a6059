// Calls for the tests of live audio: speech of the test voices as a telephone system would send it.
import { createHmac, randomUUID } from 'node:crypto';
import { fromJson, toJson, type JsonValue } from '@bufbuild/protobuf';
import { LiveEventSchema } from '../../src/gen/voxgate/live/v1/live_pb.js';
import { oggPackets } from '../../src/voice/audio/containers/ogg-pages.js';
import { WorkBudget } from '../../src/voice/audio/work-budget.js';
import { resample } from '../../src/voice/resample.js';
import type { Platform, RequestContext } from '../biometrics/support.js';
import type { VoiceName } from '../support/fixtures.js';
import { VOICE_RATE_HZ, voiceSamples } from '../support/voice-samples.js';

/** Utterances of a voice, one after the other, as 16-bit samples. */
export async function callSamples(
  voice: VoiceName,
  utterances: readonly number[],
  rateHz: number,
): Promise<Int16Array> {
  const parts: Float32Array[] = [];
  for (const number of utterances)
    parts.push(resample(await voiceSamples(voice, number), VOICE_RATE_HZ, rateHz));
  const samples = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts)
    for (const value of part) samples[at++] = Math.max(-32768, Math.min(32767, Math.round(value * 32768)));
  return samples;
}

export const linear16 = (samples: Int16Array): Buffer =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

/** ITU-T G.711 mu-law. */
export function muLaw(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length);
  samples.forEach((sample, at) => {
    const sign = sample < 0 ? 0x80 : 0;
    const magnitude = Math.min(32635, Math.abs(sample)) + 0x84;
    const exponent = 31 - Math.clz32(magnitude) - 7;
    bytes[at] = ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f));
  });
  return bytes;
}

/** Two channels, sample by sample. */
export function interleaved(left: Int16Array, right: Int16Array): Int16Array {
  const length = Math.max(left.length, right.length);
  const both = new Int16Array(2 * length);
  left.forEach((sample, at) => (both[2 * at] = sample));
  right.forEach((sample, at) => (both[2 * at + 1] = sample));
  return both;
}

const BASS_HZ = 900;
const TREBLE_HZ = 3500;
const ROOM_SECONDS = 0.5;
const ECHOES = 100;
/** Of the room against what comes straight: 3 dB. */
const ROOM_GAIN = 2;

/** As a small loudspeaker in a bare room plays it into another microphone: no bass, little treble, and the sound of the room. */
export function replayed(samples: Int16Array, rateHz: number): Int16Array {
  let sound: Float64Array = Float64Array.from(samples);
  const keep = rateHz / (rateHz + 2 * Math.PI * BASS_HZ);
  const share = 1 - Math.exp((-2 * Math.PI * TREBLE_HZ) / rateHz);
  for (let pass = 0; pass < 3; pass++)
    sound = filtered(sound, (last, now, before) => keep * (last + now - before));
  for (let pass = 0; pass < 2; pass++) sound = filtered(sound, (last, now) => last + share * (now - last));
  const heard = inRoom(sound, Math.floor(ROOM_SECONDS * rateHz));
  const level = Math.sqrt(energyOf(Float64Array.from(samples)) / energyOf(heard));
  return Int16Array.from(heard, (value) => Math.max(-32768, Math.min(32767, Math.round(value * level))));
}

function filtered(
  sound: Float64Array,
  next: (last: number, now: number, before: number) => number,
): Float64Array {
  const out = new Float64Array(sound.length);
  for (let i = 1; i < sound.length; i++)
    out[i] = next(out[i - 1] as number, sound[i] as number, sound[i - 1] as number);
  return out;
}

/** Echoes that die away, the same in every run. */
function inRoom(sound: Float64Array, length: number): Float64Array {
  let state = 7;
  const echoes = Array.from({ length: ECHOES }, (_, i) => {
    state = (1_664_525 * state + 1_013_904_223) % 2 ** 32;
    const at = 8 + Math.floor(((i + state / 2 ** 32) * (length - 8)) / ECHOES);
    return { at, value: (state % 2 === 0 ? 1 : -1) * Math.exp((-6.9 * at) / length) };
  });
  const gain = Math.sqrt(ROOM_GAIN / energyOf(Float64Array.from(echoes, ({ value }) => value)));
  const out = Float64Array.from(sound);
  for (const { at, value } of echoes)
    for (let i = at; i < sound.length; i++) (out[i] as number) += gain * value * (sound[i - at] as number);
  return out;
}

const energyOf = (sound: Float64Array): number => sound.reduce((sum, value) => sum + value * value, 0);

export function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The packets of a recording, by default without its two headers. */
export function opusPackets(recording: Uint8Array, from = 2): Buffer[] {
  const packets = oggPackets(recording, () => true, { badPages: 0 }, new WorkBudget(0));
  return [...packets].slice(from).map(({ data }) => Buffer.from(data));
}

/** Speech of the owner of a print, and of somebody else, at 8 kHz. */
export async function twoCallers(): Promise<{ own: Int16Array; stranger: Int16Array }> {
  return {
    own: await callSamples('anna', [4, 5], 8000),
    stranger: await callSamples('bruno', [4, 5], 8000),
  };
}

export interface PreparedCall {
  liveCallId: string;
  streamToken: string;
}

/** A call that a telephone system may bring its audio to. */
export async function prepareCall(
  on: Platform,
  profile: string,
  externalCallId = '',
  context?: RequestContext,
): Promise<PreparedCall> {
  const target = { gkVoiceprintProfileIds: { uniqueIds: [{ value: profile }] } };
  return (await on.post('/v1/live/calls', { context: context ?? (await on.open()), target, externalCallId }))
    .body;
}

/** Whether the session is told as one that was cut off, and what its timeline says of connections. */
export async function cutOffIn(
  on: Platform,
  { gkScopeId, gkSessionId }: RequestContext,
): Promise<{ isCutOff: boolean; rows: string[] }> {
  const id = gkSessionId?.value ?? '';
  const query = `context.gkScopeId.value=${gkScopeId.value}`;
  const { body } = await on.server.rest('GET', `/v1/x/sessions/${id}/timeline?${query}`);
  const listed = await on.server.rest('GET', `/v1/x/sessions?${query}&caveat=SESSION_CAVEAT_CUT_OFF`);
  type Entry = { details: { gkSessionId: { value: string } } };
  type Row = { operation: string; attributes?: Record<string, string> };
  return {
    isCutOff: ((listed.body.sessions ?? []) as Entry[]).some(
      ({ details }) => details.gkSessionId.value === id,
    ),
    rows: (body.events as Row[])
      .filter(({ operation }) => operation.endsWith('Call'))
      .map(({ operation, attributes = {} }) => [operation, attributes['endReason']].join(' ').trim()),
  };
}

/** Lines of `voxgate live send --json`: whichever the protocol, each has the shape of the contract's events. */
export function eventsIn(lines: readonly string[]): { state: string; final?: boolean }[] {
  return lines.map((line) => {
    const event = JSON.parse(line) as JsonValue;
    const known = toJson(LiveEventSchema, fromJson(LiveEventSchema, event));
    if (JSON.stringify(sorted(known)) !== JSON.stringify(sorted(event)))
      throw new Error(`not an event of the contract: ${line}`);
    return event as { state: string };
  });
}

const sorted = (value: JsonValue): JsonValue =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, member]) => [name, sorted(member)]),
      );

export const HOOK_PATH = '/v1/live/audiohook';

/** The headers of an AudioHook connection, signed now. */
export function audiohookHeaders(
  host: string,
  sessionId: string,
  { apiKey, secret }: { apiKey: string; secret: string },
): Record<string, string> {
  const headers: Record<string, string> = {
    'audiohook-organization-id': randomUUID(),
    'audiohook-session-id': sessionId,
    'audiohook-correlation-id': randomUUID(),
    'x-api-key': apiKey,
  };
  const special: Record<string, string> = { '@request-target': HOOK_PATH, '@authority': host };
  const parts = [...Object.keys(special), ...Object.keys(headers)];
  const created = Math.floor(Date.now() / 1000);
  const list = parts.map((part) => `"${part}"`).join(' ');
  const input = `(${list});keyid="${apiKey}";nonce="${randomUUID()}";alg="hmac-sha256";created=${created}`;
  const lines = parts.map((part) => `"${part}": ${special[part] ?? headers[part]}`);
  const base = [...lines, `"@signature-params": ${input}`].join('\n');
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(base).digest('base64');
  return { ...headers, 'signature-input': `sig1=${input}`, signature: `sig1=:${signature}:` };
}
