// `voxgate live send`, run in-process against a server: both doors, events as lines, refusals in words.
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CliIo } from '../../src/cli/io.js';
import { registerLive } from '../../src/cli/live/live.js';
import { encodeMuLaw } from '../../src/voice/audio/encode-mulaw.js';
import { Platform } from '../biometrics/support.js';
import { TEST_TOKEN } from '../support/server.js';
import { wavFile } from '../support/sounds.js';
import { joined, voiceSamples } from '../support/speech.js';
import { muLaw } from './support.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-live-'));
const RECORDING = join(FOLDER, 'call.wav');
let platform: Platform;
let anna: { profile: string };

beforeAll(async () => {
  platform = await Platform.start();
  anna = await platform.printOf('anna');
  const spoken = joined(await voiceSamples('anna', 4), await voiceSamples('anna', 5));
  writeFileSync(RECORDING, wavFile([spoken], 16_000));
});
afterAll(async () => {
  await platform.stop();
  rmSync(FOLDER, { recursive: true });
});

async function send(...args: string[]): Promise<{ out: string[]; err: string; code: number }> {
  const result = { out: [] as string[], err: '', code: 0 };
  const io: CliIo = {
    out: (text) => void result.out.push(text),
    err: (text) => (result.err += `${text}\n`),
    exit: (code) => (result.code = code),
    loadConfig: () => ({}) as never,
  };
  const program = new Command('voxgate').exitOverride();
  registerLive(program, io);
  await program.parseAsync(['node', 'voxgate', 'live', 'send', ...args, '--speed', '0']);
  return result;
}

const target = () => ({ gkVoiceprintProfileIds: { uniqueIds: [{ value: anna.profile }] } });

async function streamToken(): Promise<string> {
  const context = await platform.open();
  return (await platform.post('/v1/live/calls', { context, target: target() })).body.streamToken;
}

describe('voxgate live send', () => {
  it('prints the events of a prepared call, one JSON object a line, the decision last', async () => {
    const server = ['--server', platform.server.httpUrl, '--stream-token', await streamToken()];
    const { out, code } = await send(RECORDING, ...server, '--json');
    const events = out.map((line) => JSON.parse(line) as { state: string; final?: boolean });
    expect(events.map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC']);
    expect(events.at(-1)).toMatchObject({ final: true, endReason: 'stopped' });
    expect(code).toBe(0);
  });

  it('asks its own question over gRPC, and says in words what it hears', async () => {
    const question = JSON.stringify({ context: await platform.open(), target: target() });
    const server = ['--door', 'grpc', '--server', platform.server.grpcAddress, '--token', TEST_TOKEN];
    const { out, code } = await send(RECORDING, ...server, '--question', question);
    expect(out.at(-1)).toMatch(/^AUTHENTIC +[\d.]+s of speech, risk \d+, voiceprint_match \(stopped\)$/);
    expect(code).toBe(0);
  });

  it.each([
    ['a used token', async () => ['--stream-token', 'wrong'], 'stream token is unknown'],
    ['no call', async () => [], 'name the call'],
    ['a question that is no JSON', async () => ['--question', '{'], '--question is not JSON'],
    ['a wrong bearer token', async () => ['--token', 'wrong', '--stream-token', 'x'], 'HTTP 401'],
  ])('refuses %s in words', async (_name, flags, words) => {
    const { err, code } = await send(RECORDING, '--server', platform.server.httpUrl, ...(await flags()));
    expect(err).toContain(words);
    expect(err).not.toContain('    at ');
    expect(code).toBe(1);
  });

  it('refuses what is no recording before it connects', async () => {
    const text = join(FOLDER, 'text.wav');
    writeFileSync(text, 'no audio');
    const { err, code } = await send(text, '--server', 'http://127.0.0.1:1', '--stream-token', 'x');
    expect(err).toContain('format is not recognized');
    expect(code).toBe(1);
  });
});

describe('mu-law', () => {
  it('is that of G.711 for every 16-bit sample', () => {
    const all = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const expected = muLaw(all);
    const encoded = encodeMuLaw(Float32Array.from(all, (value) => value / 32_767));
    expect(Buffer.compare(expected, Buffer.from(encoded))).toBe(0);
  });
});
