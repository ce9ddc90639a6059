// A live call of the client library over connections that break: nothing that the server has not heard is lost.
import { describe, expect, it } from 'vitest';
import { LiveLine, type Socket } from '../../src/client/live.js';
import { SentAudio } from '../../src/client/sent-audio.js';

/** A connection as a test sees it: everything that was sent, and ways to answer, break and refuse. */
class FakeSocket implements Socket {
  binaryType = '';
  bufferedAmount = 0;
  readonly texts: Record<string, unknown>[] = [];
  readonly audio: number[] = [];
  readonly #listeners: Record<string, (event: never) => void> = {};

  send(data: string | Uint8Array): void {
    if (typeof data === 'string') this.texts.push(JSON.parse(data) as Record<string, unknown>);
    else this.audio.push(...data);
  }

  close(): void {}

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners[type] = listener;
  }

  open(): void {
    this.#listeners['open']?.(undefined as never);
  }

  answer(message: object): void {
    this.#listeners['message']?.({ data: JSON.stringify(message) } as never);
  }

  closeWith(code: number, reason = ''): void {
    this.#listeners['close']?.({ code, reason } as never);
  }
}

const format = { encoding: 'LINEAR16', sampleRateHz: 8000 } as const;
const pieces = [Uint8Array.of(1, 2), Uint8Array.of(3, 4), Uint8Array.of(5, 6)];

/** A call whose connections are kept, in the order in which they were made. */
function lineOf() {
  const sockets: FakeSocket[] = [];
  const awaited: (() => void)[] = [];
  const connect = (): Socket => {
    const socket = new FakeSocket();
    sockets.push(socket);
    awaited.splice(0).forEach((tell) => tell());
    return socket;
  };
  /** The connection of this number, as soon as it is asked for. */
  const socket = async (index: number): Promise<FakeSocket> => {
    while (!sockets[index]) await new Promise<void>((resolve) => awaited.push(resolve));
    return sockets[index];
  };
  // A turn of the event loop, so that waiting does not keep the rest from happening.
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const line = new LiveLine({ connect, pause }, { streamToken: 'stream', format });
  return { line, socket };
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise<void>((resolve) => setImmediate(resolve));
};

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a live call', () => {
  it('begins with the token, sends everything, says that it is over, and ends with the last event', async () => {
    const { line, socket } = lineOf();
    const told = all(line.run(pieces));
    const first = await socket(0);
    first.open();
    await until(() => first.texts.length === 2);
    expect(first.texts).toEqual([{ start: { streamToken: 'stream', format } }, { stop: {} }]);
    expect(first.audio).toEqual([1, 2, 3, 4, 5, 6]);
    first.answer({ event: { sequence: '1', state: 'LISTENING' }, resume: { resumeToken: 'again' } });
    first.answer({ event: { sequence: '2', state: 'AUTHENTIC', final: true } });
    expect((await told).map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC']);
  });

  it('goes on where the server is when the connection broke, with the last event that it knows', async () => {
    const { line, socket } = lineOf();
    const told = all(line.run(pieces));
    const first = await socket(0);
    first.open();
    await until(() => first.audio.length === 6);
    first.answer({ event: { sequence: '1', state: 'LISTENING' }, resume: { resumeToken: 'again' } });
    first.closeWith(1006);
    // The call is not yet let go of where it was.
    (await socket(1)).closeWith(1013, 'connect again');
    const second = await socket(2);
    second.open();
    expect(second.texts).toEqual([{ start: { resumeToken: 'again', afterSequence: '1' } }]);
    second.answer({ resume: { resumeToken: 'again', receivedBytes: '3' } });
    expect(second.audio).toEqual([4, 5, 6]);
    expect(second.texts.at(-1)).toEqual({ stop: {} });
    second.answer({ event: { sequence: '2', state: 'NO_MATCH', final: true } });
    expect((await told).map(({ sequence }) => sequence)).toEqual(['1', '2']);
  });

  it.each([
    [1013, 'BUSY'],
    [1002, 'INVALID_REQUEST'],
    [1008, 'INVALID_REQUEST'],
    [1006, 'OFFLINE'],
  ])('that is refused with %i fails as %s', async (code, expected) => {
    const { line, socket } = lineOf();
    const told = all(line.run(pieces));
    (await socket(0)).closeWith(code, 'why');
    await expect(told).rejects.toMatchObject({ code: expected, message: expect.stringContaining('why') });
  });

  it('ends when nobody listens to its events any more', async () => {
    const { line, socket } = lineOf();
    const silence = async function* (): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      await new Promise(() => undefined);
    };
    const events = line.run(silence());
    const first = events.next();
    const only = await socket(0);
    only.open();
    only.answer({ event: { sequence: '1', state: 'AUTHENTIC' } });
    expect((await first).value).toMatchObject({ state: 'AUTHENTIC' });
    await events.return(undefined);
    expect(only.texts.at(-1)).toEqual({ stop: {} });
  });

  it('whose audio fails, fails', async () => {
    const { line, socket } = lineOf();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      throw new Error('the microphone was pulled out');
    };
    const told = all(line.run(broken()));
    (await socket(0)).open();
    await expect(told).rejects.toThrow('pulled out');
  });
});

describe('audio that was sent', () => {
  it('is kept for a while, and it is known when it is not', () => {
    const sent = new SentAudio();
    const mebibyte = new Uint8Array(1024 * 1024);
    for (let count = 0; count < 6; count += 1) sent.add(mebibyte);
    expect(sent.after(mebibyte.length)).toBeUndefined();
    expect(sent.after(2 * mebibyte.length)?.length).toBe(4);
    expect(sent.after(6 * mebibyte.length)).toEqual([]);
  });
});
