// Brings audio in as Twilio does: JSON texts with base64. The protocol tells no events.
import { createHmac, randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import type { OnEvent } from '../../src/cli/live/follow-events.js';
import { socketEnd, socketUrl, type Sender } from '../../src/cli/live/sender.js';
import { needed, type VendorTarget } from './vendor-target.js';

const FRAME_MS = 20;

export async function sendByTwilio({ server, keys }: VendorTarget, _onEvent: OnEvent): Promise<Sender> {
  const token = needed(keys.streamToken, '--stream-token');
  const url = socketUrl(server, '/v1/live/twilio');
  // Twilio signs the address as it was told it, which is always a secure one.
  const signature = createHmac('sha1', keys.secret ?? '').update(`wss://${url.host}${url.pathname}`);
  const headers = keys.secret === undefined ? {} : { 'x-twilio-signature': signature.digest('base64') };
  const socket = new WebSocket(url, { headers });
  const ended = socketEnd(socket);
  const streamSid = `MZ${randomBytes(16).toString('hex')}`;
  let sequence = 0;
  const send = (event: string, members: object): Promise<void> =>
    new Promise((resolve) => {
      const message = { event, sequenceNumber: String(++sequence), streamSid, ...members };
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message), () => resolve());
      else resolve();
    });
  await Promise.race([new Promise<void>((resolve) => socket.once('open', () => resolve())), ended]);
  socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  await send('start', {
    start: { streamSid, tracks: ['inbound'], customParameters: { token }, mediaFormat },
  });
  let chunk = 0;
  return {
    audio: (frame) => {
      const timestamp = String(FRAME_MS * chunk);
      const payload = Buffer.from(frame).toString('base64');
      return send('media', { media: { track: 'inbound', chunk: String(++chunk), timestamp, payload } });
    },
    stop: () => send('stop', { stop: {} }),
    ended,
    isOver: () => socket.readyState !== WebSocket.OPEN,
  };
}
