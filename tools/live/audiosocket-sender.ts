// Brings audio in as Asterisk's AudioSocket does: frames over TCP, signed 16-bit samples. The protocol tells no events.
import { connect } from 'node:net';
import { frameOf, FrameReader, frameTypes } from '../../src/live/protocols/audiosocket.js';
import type { OnEvent } from '../../src/cli/live/follow-events.js';
import { type Sender } from '../../src/cli/live/sender.js';
import { needed, type VendorTarget } from './vendor-target.js';

export async function sendByAudiosocket({ server, keys }: VendorTarget, _onEvent: OnEvent): Promise<Sender> {
  const uuid = Buffer.from(needed(keys.uuid, '--uuid').replaceAll('-', ''), 'hex');
  const { hostname, port } = new URL(`tcp://${server.replace(/^[a-z]+:\/\//, '')}`);
  const socket = connect({ host: hostname, port: Number(port) });
  const reader = new FrameReader();
  let refused = false;
  let over = false;
  socket.on('data', (bytes: Buffer) => {
    if (reader.push(bytes).some(({ type }) => type === frameTypes.error)) refused = true;
  });
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('close', () => {
      over = true;
      if (refused) reject(new Error('the server refused the call; AudioSocket cannot say why, its log does'));
      else resolve();
    });
    socket.on('error', reject);
  });
  ended.catch(() => undefined);
  const send = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      if (over || !socket.writable) resolve();
      else socket.write(bytes, () => resolve());
    });
  await Promise.race([new Promise<void>((resolve) => socket.once('connect', () => resolve())), ended]);
  await send(frameOf(frameTypes.uuid, uuid));
  return {
    audio: (frame) => send(frameOf(frameTypes.audio8k, frame)),
    stop: () => send(frameOf(frameTypes.hangup)),
    ended,
    isOver: () => over,
  };
}
