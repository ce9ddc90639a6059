// What may be put to an upload address, how often, and what a refused body leaves on its connection. For suites that have
// a server and a tenant.
import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { utterance, type Platform, type RequestContext } from './support.js';

export interface Given {
  platform: Platform;
  context: RequestContext;
}

interface Answer {
  status: number;
  text: string;
}

export function describeUploads(given: () => Given): void {
  const newAddress = async (): Promise<string> => {
    const { platform, context } = given();
    const { body } = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
    return body.mediaUploadUrl;
  };
  const newCalibration = async (calibrationModelId: string): Promise<string> => {
    const { platform, context } = given();
    const type = 'CALIBRATION_MODEL_TYPE_VOICEPRINTS';
    const { body } = await platform.post('/v1/calibrations', { context, calibrationModelId, type });
    return body.calibrationModelUploadUrl;
  };

  describe('an upload address', () => {
    it('takes the same bytes twice, others not', async () => {
      const url = await newAddress();
      expect(await put(url, utterance('anna', 4))).toBe(201);
      expect(await put(url, utterance('anna', 4))).toBe(201);
      expect(await put(url, utterance('anna', 5))).toBe(409);
    });

    it('takes the same bytes from several at once', async () => {
      const url = await newAddress();
      const puts = await Promise.all([1, 2, 3, 4].map(() => put(url, utterance('anna', 4))));
      expect(puts).toEqual([201, 201, 201, 201]);
      expect(await put(url, utterance('anna', 5))).toBe(409);
    });

    it('refuses an empty body, and is not used up by it', async () => {
      const url = await newAddress();
      const empty = await fetch(url, { method: 'PUT', body: new Uint8Array(0) });
      expect([empty.status, await empty.json()]).toMatchObject([
        400,
        { error_message: expect.stringContaining('the upload is empty') },
      ]);
      expect(await put(url, utterance('anna', 4))).toBe(201);
      expect(await put(url, new Uint8Array(0))).toBe(400);
    });

    it('of a calibration takes the same document twice, and neither another nor nothing', async () => {
      const url = await newCalibration('sent-twice');
      const document = Buffer.from('{"thresholds":[]}');
      expect(await put(url, new Uint8Array(0))).toBe(400);
      expect(await put(url, document)).toBe(201);
      expect(await put(url, document)).toBe(201);
      expect(await put(url, Buffer.from('{}'))).toBe(409);
    });
  });

  describe('a body that is refused before its end does not keep the next call waiting', () => {
    const long = Buffer.alloc(3_000_000, 1);
    const refused: Record<string, { status: number; url: () => Promise<string> }> = {
      'of an address that has taken other audio': {
        status: 409,
        async url() {
          const url = await newAddress();
          await put(url, long.subarray(0, 1000));
          return url;
        },
      },
      'of an address that is not signed': { status: 403, url: async () => `${await newAddress()}x` },
      'of a calibration that is too large': { status: 413, url: () => newCalibration('too-large') },
    };

    it.each(Object.entries(refused))('%s', async (_, { status, url }) => {
      const target = await url();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        expect((await exchange(agent, 'PUT', target, long)).status).toBe(status);
        const next = await exchange(agent, 'GET', new URL('/healthz', target).href);
        expect(next.status).toBe(200);
      } finally {
        agent.destroy();
      }
    });
  });
}

async function put(url: string, bytes: Uint8Array): Promise<number> {
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
  await answer.text();
  return answer.status;
}

/** On the agent's one connection; a call that waits for longer than anybody would fails. */
function exchange(agent: Agent, method: string, url: string, body?: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': body?.length ?? 0 };
    const call = request(url, { agent, method, headers, timeout: 10_000 }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => (text += piece.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', reject);
    call.end(body);
  });
}
