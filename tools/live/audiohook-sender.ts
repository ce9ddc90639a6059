// Brings audio in as Genesys AudioHook does: signed, numbered messages, and mu-law in binary ones.
import { createHmac, randomUUID } from 'node:crypto';
import { create, toJson } from '@bufbuild/protobuf';
import { WebSocket } from 'ws';
import { LiveEventSchema } from '../../src/gen/voxgate/live/v1/live_pb.js';
import type { LiveEvent } from '../../src/live/model.js';
import { eventOf } from '../../src/transport/services/live/translate.js';
import type { OnEvent, SentEvent } from '../../src/cli/live/follow-events.js';
import { socketEnd, socketUrl, type Sender } from '../../src/cli/live/sender.js';
import { needed, type VendorTarget } from './vendor-target.js';

const PATH = '/v1/live/audiohook';

interface ServerMessage {
  type: string;
  seq: number;
  parameters: { reason?: string; info?: string; entities?: { data: EventData }[] };
}

type EventData = Omit<LiveEvent, 'atMs'> & { at: string; final: boolean };

export async function sendByAudiohook({ server, keys }: VendorTarget, onEvent: OnEvent): Promise<Sender> {
  const conversationId = needed(keys.conversation, '--conversation');
  const url = socketUrl(server, PATH);
  const id = randomUUID();
  const headers = signedHeaders(url.host, id, {
    apiKey: needed(keys.apiKey, '--api-key'),
    secret: needed(keys.secret, '--secret'),
  });
  const socket = new WebSocket(url, { headers });
  const closed = socketEnd(socket);
  let [seq, serverseq] = [0, 0];
  let refusal = '';
  const send = (type: string, parameters: object): Promise<void> =>
    new Promise((resolve) => {
      const message = { version: '2', id, type, seq: ++seq, serverseq, position: 'PT0S', parameters };
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message), () => resolve());
      else resolve();
    });
  const isOpen = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const { type, seq: number, parameters } = JSON.parse(data.toString()) as ServerMessage;
      serverseq = number;
      for (const { data: event } of parameters.entities ?? []) onEvent(asElsewhere(event));
      if (type === 'opened') resolve();
      if (type !== 'disconnect') return;
      if (parameters.reason === 'error') refusal = parameters.info ?? 'the server refused the call';
      void send('close', { reason: 'disconnect' });
    });
  });
  const ended = closed.then(() => {
    if (refusal) throw new Error(refusal);
  });
  ended.catch(() => undefined);
  await Promise.race([new Promise<void>((resolve) => socket.once('open', () => resolve())), ended]);
  const media = [{ type: 'audio', format: 'PCMU', channels: ['external'], rate: 8000 }];
  await send('open', {
    organizationId: randomUUID(),
    conversationId,
    participant: { id: randomUUID() },
    media,
  });
  await Promise.race([isOpen, ended]);
  return {
    audio: (frame) =>
      new Promise((resolve) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(frame, () => resolve());
        else resolve();
      }),
    stop: () => send('close', { reason: 'end' }),
    ended,
    isOver: () => socket.readyState !== WebSocket.OPEN,
  };
}

/** As all other protocols tell it. */
const asElsewhere = ({ at, final: _final, ...told }: EventData): SentEvent =>
  toJson(LiveEventSchema, create(LiveEventSchema, eventOf({ ...told, atMs: Date.parse(at) }))) as SentEvent;

function signedHeaders(
  host: string,
  sessionId: string,
  { apiKey, secret }: { apiKey: string; secret: string },
): Record<string, string> {
  const headers: Record<string, string> = {
    'audiohook-organization-id': randomUUID(),
    'audiohook-session-id': sessionId,
    'audiohook-correlation-id': randomUUID(),
    'x-api-key': apiKey,
  };
  const signed: Record<string, string> = { '@request-target': PATH, '@authority': host, ...headers };
  const list = Object.keys(signed).map((name) => `"${name}"`);
  const created = Math.floor(Date.now() / 1000);
  const input = `(${list.join(' ')});keyid="${apiKey}";nonce="${randomUUID()}";alg="hmac-sha256";created=${created}`;
  const lines = Object.entries(signed).map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${input}`].join('\n');
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(base).digest('base64');
  return { ...headers, 'signature-input': `sig1=${input}`, signature: `sig1=:${signature}:` };
}
