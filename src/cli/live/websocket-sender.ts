// Brings audio in over the WebSocket /v1/live.
import { WebSocket } from 'ws';
import { format, type LiveTarget, type OnEvent, type Sender, type SentEvent } from './sender.js';

const NORMAL = 1000;

export async function sendByWebSocket(
  { server, token, call }: LiveTarget,
  onEvent: OnEvent,
): Promise<Sender> {
  const url = new URL('/v1/live', server);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(
    url,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  socket.on('message', (data: Buffer) => {
    const { event } = JSON.parse(data.toString()) as { event?: SentEvent };
    if (event) onEvent(event);
  });
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('close', (code, reason) =>
      code === NORMAL ? resolve() : reject(new Error(`the server closed with ${code}: ${reason.toString()}`)),
    );
    socket.on('unexpected-response', (_request, answer) =>
      reject(new Error(`the server refused the connection: HTTP ${answer.statusCode ?? 0}`)),
    );
    socket.on('error', reject);
  });
  // Whoever waits for the end hears of a failure; nobody has to.
  ended.catch(() => undefined);
  await Promise.race([new Promise<void>((resolve) => socket.once('open', () => resolve())), ended]);
  const send = (data: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      // What fails here shows in `ended`.
      if (socket.readyState === WebSocket.OPEN) socket.send(data, () => resolve());
      else resolve();
    });
  await send(JSON.stringify({ start: { ...call, format } }));
  return {
    audio: (frame) => send(frame),
    stop: () => send(JSON.stringify({ stop: {} })),
    ended,
    isOver: () => socket.readyState !== WebSocket.OPEN,
  };
}
