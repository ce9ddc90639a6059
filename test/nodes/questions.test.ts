// Questions between nodes: only those of this installation, only to the node they are meant for, only once, and never too many.
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { NodeAsker } from '../../src/nodes/ask-node.js';
import { Envelopes } from '../../src/nodes/envelope.js';
import { NodeListener } from '../../src/nodes/listener.js';
import { silentLog } from '../../src/platform.js';
import { openBytes, sealBytes } from '../../src/storage/sealing/cipher.js';

const sealing = {
  seal: (key: Uint8Array, content: Uint8Array, place: string) => sealBytes(key, 1, content, place),
  open: openBytes,
};
const secretOf = (byte: number) => new Uint8Array(32).fill(byte);
const never = new AbortController().signal;

describe('a question between nodes', () => {
  const closers: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function start(answer: (question: unknown) => Promise<unknown>) {
    const listener = new NodeListener({
      ...{
        nodeId: 'b',
        envelopes: new Envelopes(sealing, secretOf(1)),
        answer,
        log: silentLog,
        atOnceMax: 2,
      },
    });
    const address = `127.0.0.1:${await listener.start({ host: '127.0.0.1', port: 0 })}`;
    closers.push(() => listener.stop());
    const asker = (secret = secretOf(1)) => {
      const made = new NodeAsker(new Envelopes(sealing, secret));
      closers.push(() => made.close());
      return made;
    };
    return { listener, address, asker };
  }

  /** Bytes as somebody on the network would send them. */
  const post = (address: string, body: Uint8Array, headers: Record<string, string>, path = '/v1/nodes/ask') =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`http://${address}${path}`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.once('error', reject).end(body);
    });

  it('is answered, over and over on one connection, numbers to the last bit', async () => {
    const { address, asker } = await start(async (question) => ({ heard: question }));
    const question = { numbers: [...Float32Array.of(0.1, 1 / 3, 1e-30)], exact: 0.1 + 0.2 };
    const asking = asker();
    for (const _ of [1, 2, 3])
      expect(await asking.ask({ nodeId: 'b', address }, question, never)).toEqual({ heard: question });
  });

  it('of another installation, or for another node, is refused', async () => {
    let asked = 0;
    const { listener, address, asker } = await start(async () => (asked += 1));
    await expect(asker(secretOf(2)).ask({ nodeId: 'b', address }, {}, never)).rejects.toThrow('401');
    await expect(asker().ask({ nodeId: 'c', address }, {}, never)).rejects.toThrow('401');
    expect(await post(address, new Uint8Array(100), {})).toBe(401);
    expect(await post(address, new Uint8Array(100), {}, '/')).toBe(404);
    expect([asked, listener.refused]).toEqual([0, 4]);
  });

  it('that was overheard is not answered a second time', async () => {
    const { address } = await start(async () => 'voices');
    const questionId = 'ab'.repeat(16);
    const body = new Envelopes(sealing, secretOf(1)).seal('question', { nodeId: 'b', questionId }, {});
    const headers = { 'x-voxgate-question': questionId };
    expect(await post(address, body, headers)).toBe(200);
    expect(await post(address, body, headers)).toBe(401);
  });

  it('that comes with too many others is told to come again', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const { address, asker } = await start(async () => {
      begun += 1;
      await held;
      return 'late';
    });
    const waiting = [1, 2].map(() => asker().ask({ nodeId: 'b', address }, {}, never));
    await expect.poll(() => begun).toBe(2);
    await expect(asker().ask({ nodeId: 'b', address }, {}, never)).rejects.toMatchObject({ code: 'BUSY' });
    release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['late']));
  });

  it('fails at once where nobody listens, and when whoever asked is gone', async () => {
    const { listener, address, asker } = await start(() => new Promise(() => {}));
    const caller = new AbortController();
    const waiting = asker().ask({ nodeId: 'b', address }, {}, caller.signal);
    caller.abort();
    await expect(waiting).rejects.toThrow();
    await listener.stop();
    await expect(asker().ask({ nodeId: 'b', address }, {}, never)).rejects.toThrow('ECONNREFUSED');
  });

  it('that fails inside is no answer, and says nothing of why', async () => {
    const { address, asker } = await start(async () => {
      throw new Error('a secret');
    });
    await expect(asker().ask({ nodeId: 'b', address }, {}, never)).rejects.toThrow('answered 500');
  });
});
