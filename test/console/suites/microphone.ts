// The microphone of the client library in a real browser, with the fake device that browser has: a take, pieces for a live call, and
// a refusal. That the worklet may come from an address of its own, the console shows.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Suite } from './setting.js';

const ENTRY = fileURLToPath(new URL('../../../src/client/browser/index.ts', import.meta.url));

/** Runs until something was heard, as the fake device is silent most of the time, and there is more than three pieces. */
const TAKE = `async (options) => {
  const { Microphone } = await import('/somebody/microphone.js');
  let microphone;
  await new Promise((resolve, reject) => {
    let heard = 0;
    let isLoud = false;
    const onBlock = (samples) => {
      heard += samples.length;
      isLoud ||= samples.some((sample) => Math.abs(sample) > 0.01);
      if (isLoud && heard > 48_000) resolve();
    };
    Microphone.open({ ...options, onBlock }).then((opened) => (microphone = opened), reject);
  });
  const { format } = microphone;
  const pieces = [];
  for await (const piece of microphone) if (pieces.push(piece.length) === 3) break;
  const wav = await microphone.stop();
  return { format, pieces, wav: Array.from(wav) };
}`;

interface Take {
  format: { encoding: string; sampleRateHz: number };
  pieces: number[];
  wav: number[];
}

export const microphone: Suite = (setting) =>
  describe('the microphone of the client library', () => {
    let library: string;
    beforeAll(async () => {
      const { outputFiles } = await build({
        entryPoints: [ENTRY],
        bundle: true,
        write: false,
        format: 'esm',
        target: 'es2022',
      });
      library = outputFiles[0]?.text ?? '';
    });

    /** A page of somebody who uses the library. */
    async function somebody(): Promise<Page> {
      const { console } = setting();
      const page = await console.newPage();
      await page.route('**/somebody/', (route) =>
        route.fulfill({
          contentType: 'text/html',
          headers: { 'content-security-policy': "script-src 'self' blob:" },
          body: '<!doctype html><title>Somebody</title>',
        }),
      );
      await page.route('**/somebody/microphone.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: library }),
      );
      await page.goto(`${console.url}/somebody/`);
      return page;
    }

    function expectSound({ format, pieces, wav }: Take): void {
      const bytes = Buffer.from(wav);
      expect(format.encoding).toBe('LINEAR16');
      expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
      expect(bytes.readUInt32LE(24)).toBe(format.sampleRateHz);
      expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
      expect(pieces).toHaveLength(3);
      expect(Math.min(...pieces)).toBeGreaterThan(0);
      expect(bytes.length).toBeGreaterThan(44);
    }

    it('makes a take and feeds a call, on a page with a content security policy', async () => {
      const page = await somebody();
      expectSound(await page.evaluate<Take>(`(${TAKE})({})`));
    });

    it('says when it was refused', async () => {
      const page = await somebody();
      const fault = await page.evaluate(`(async () => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
        const { Microphone } = await import('/somebody/microphone.js');
        return Microphone.open().then(() => 'opened', ({ name, fault }) => name + ' ' + fault);
      })()`);
      expect(fault).toBe('MicrophoneError DENIED');
    });
  });
