// `voxgate audio inspect` run in-process: text, JSON, exit codes.
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultParameters } from '../../src/biometrics/model/parameters.js';
import { registerAudio, speechStrip } from '../../src/cli/voice/audio.js';
import type { CliIo } from '../../src/cli/io.js';
import { decodeAudio } from '../../src/voice/audio/decode-audio.js';
import { formatFile, voiceFile } from '../support/fixtures.js';
import { silence, wavFile } from '../support/sounds.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-audio-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

function file(name: string, bytes: Uint8Array): string {
  writeFileSync(join(FOLDER, name), bytes);
  return join(FOLDER, name);
}

interface Inspected {
  failed: string[];
  quality: { speech_level_dbfs: number };
}

async function run(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  const result = { out: '', err: '', code: 0 };
  const io: CliIo = {
    out: (text) => (result.out += `${text}\n`),
    err: (text) => (result.err += `${text}\n`),
    exit: (code) => (result.code = code),
    loadConfig: () => ({ engine: { modelsDir: '' } }) as never,
  };
  const program = new Command('voxgate').exitOverride();
  registerAudio(program, io);
  await program.parseAsync(['node', 'voxgate', 'audio', 'inspect', ...args]);
  return result;
}

describe('voxgate audio inspect', () => {
  it('draws the speech and gives a verdict', async () => {
    const { out, code } = await run(file('voice.opus', voiceFile('bruno', 1)));
    expect(code).toBe(0);
    expect(out).toContain('ogg (opus), 16000 Hz, 1 channel');
    expect(out).toMatch(/█{20,}/);
    expect(out).toContain('AUDIO_OK');
  });

  it('prints one JSON object', async () => {
    const { out } = await run('--json', '--channel', '2', file('two.wav', formatFile('stereo-8k.wav')));
    const result = JSON.parse(out) as Record<string, Record<string, unknown>>;
    expect(result.media).toMatchObject({
      container: 'wav',
      sample_rate_hz: 8000,
      channels: 2,
      selected_channel: 2,
    });
    expect(result.quality).toMatchObject({ gross_audio_ms: 1500, bandwidth: 'narrow' });
    expect(result.validity).toBe('AUDIO_TOO_SHORT');
  });

  it('says what to do about silence and about files that are no audio', async () => {
    const quiet = await run(file('quiet.wav', wavFile([silence(4)], 16000)));
    expect(quiet.code).toBe(2);
    expect(quiet.out).toContain('AUDIO_TOO_SOFT');
    expect(quiet.out).toContain('To do      Check that the microphone');
    const text = await run(file('x.txt', Buffer.from('no audio in here, only words')));
    expect(text.code).toBe(2);
    expect(text.out).toContain('INVALID_AUDIO');
  });

  it('judges enrollment audio by the limits of a config set that nobody changed', async () => {
    const loud = JSON.parse((await run('--json', file('loud.opus', voiceFile('anna', 1)))).out) as Inspected;
    const speech = await decodeAudio(voiceFile('anna', 1));
    if (!speech.ok) throw new Error(speech.reason);
    const at = async (dbfs: number) => {
      const gain = 10 ** ((dbfs - loud.quality.speech_level_dbfs) / 20);
      const soft = wavFile([speech.samples.map((sample) => sample * gain)], speech.sampleRateHz);
      return JSON.parse((await run('--json', '--enroll', file('soft.wav', soft))).out) as Inspected;
    };
    const { speechLevelDbMin } = defaultParameters.audio;
    expect((await at(speechLevelDbMin + 2)).failed).not.toContain('AUDIO_TOO_SOFT');
    expect((await at(speechLevelDbMin - 2)).failed).toContain('AUDIO_TOO_SOFT');
  });

  it('reads headerless audio when told how', async () => {
    const { out } = await run('--json', '--raw', 'alaw', file('a.raw', formatFile('alaw-8k.raw')));
    expect(JSON.parse(out)).toMatchObject({
      media: { container: 'raw', codec: 'alaw' },
      quality: { gross_audio_ms: 2000 },
    });
  });

  it('fails plainly on a missing file and on wrong flags', async () => {
    const missing = await run(join(FOLDER, 'nothing.wav'));
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('no such file')]);
    const folder = await run(FOLDER);
    expect([folder.code, folder.err]).toEqual([1, expect.stringContaining('is a folder, not a file')]);
    await expect(run('--raw', 'gsm', join(FOLDER, 'a.raw'))).rejects.toThrow('s16le, alaw or mulaw');
  });
});

describe('speechStrip', () => {
  it('shows where speech is', () => {
    expect(speechStrip([{ startMs: 250, endMs: 750 }], 1000, 8)).toBe('··████··');
    expect(speechStrip([], 0, 3)).toBe('···');
  });
});
