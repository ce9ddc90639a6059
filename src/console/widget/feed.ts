// The events of a call as the server sends them. Not an EventSource: that cannot send a token in a header,
// and a token in an address ends up in logs.
import type { LiveCallInfoJson, LiveEventJson } from '../../gen/voxgate/live/v1/live_pb.js';

export type Progress = Pick<LiveCallInfoJson, 'netSpeech' | 'agentWord' | 'assessment'>;

interface Listener {
  event(event: LiveEventJson): void;
  progress(progress: Progress): void;
  /** The connection broke and will be retried. */
  lost(): void;
  /** The call is over, or may not be followed. */
  over(isRefused: boolean): void;
}

const RETRY_MS = 2000;
const RETRY_MS_MAX = 30_000;

/** Follows a call until it is over or `signal` aborts. */
export async function follow(
  url: string,
  token: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  let last = '';
  for (let retryMs = RETRY_MS; !signal.aborted; retryMs = Math.min(2 * retryMs, RETRY_MS_MAX)) {
    try {
      const headers = { authorization: `Bearer ${token}`, ...(last !== '' && { 'last-event-id': last }) };
      const answer = await fetch(`${url}/events?progress=1`, { headers, signal, cache: 'no-store' });
      if (answer.status === 204) return listener.over(false);
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return listener.over(true);
      if (answer.ok && answer.body) {
        retryMs = RETRY_MS;
        for await (const message of messagesIn(answer.body)) {
          if (message.id !== '') last = message.id;
          const data = JSON.parse(message.data) as LiveEventJson & Progress;
          if (message.event === 'progress') listener.progress(data);
          else listener.event(data);
          if (data.final) return listener.over(false);
        }
      }
    } catch {
      // Broken or unreachable: retried below.
    }
    if (signal.aborted) return;
    listener.lost();
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

interface Message {
  id: string;
  event: string;
  data: string;
}

/** Server-sent events, as far as our server uses them: one line of data each. */
async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const blocks = (rest + next.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      const data = field('data');
      if (data !== '') yield { id: field('id'), event: field('event'), data };
    }
  }
}
