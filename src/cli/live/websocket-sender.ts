// Brings audio in over the WebSocket /v1/live.
import { WebSocket } from 'ws';
import type { OnEvent, SentEvent } from './follow-events.js';
import { format, socketEnd, socketUrl, type LiveTarget, type Sender } from './sender.js';

export async function sendByWebSocket(
  { server, token, call }: LiveTarget,
  onEvent: OnEvent,
): Promise<Sender> {
  const socket = new WebSocket(
    socketUrl(server, '/v1/live'),
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  socket.on('message', (data: Buffer) => {
    const { event } = JSON.parse(data.toString()) as { event?: SentEvent };
    if (event) onEvent(event);
  });
  const ended = socketEnd(socket);
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
