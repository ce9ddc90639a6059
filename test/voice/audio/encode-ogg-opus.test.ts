// Opus packets as a recording: what comes out is what went in.
import { expect, it } from 'vitest';
import { oggPackets } from '../../../src/voice/audio/containers/ogg-pages.js';
import { decodeAudio } from '../../../src/voice/audio/decode-audio.js';
import { encodeOggOpus, opusPacketMs } from '../../../src/voice/audio/encode-ogg-opus.js';
import { WorkBudget } from '../../../src/voice/audio/work-budget.js';
import { voiceFile } from '../../support/fixtures.js';

const packetsOf = (file: Uint8Array): Uint8Array[] =>
  [...oggPackets(file, () => true, { badPages: 0 }, new WorkBudget(0))]
    .slice(2)
    .map(({ data }) => Uint8Array.from(data));

it('has the packets that it was made of, and their length', async () => {
  const packets = packetsOf(voiceFile('anna', 4));
  const file = encodeOggOpus(packets, { channels: 1, sampleRateHz: 16_000 });
  expect(packetsOf(file)).toEqual(packets);
  const decoded = await decodeAudio(file);
  if (!decoded.ok) throw new Error(decoded.reason);
  expect(decoded).toMatchObject({ container: 'ogg', codec: 'opus', channels: 1, warnings: [] });
  expect(decoded.durationMs).toBe(packets.reduce((sum, packet) => sum + opusPacketMs(packet), 0));
});

it('takes packets of any size', () => {
  const packets = [0, 1, 254, 255, 256, 510, 3840].map((length) => new Uint8Array(length).fill(7));
  expect(packetsOf(encodeOggOpus(packets, { channels: 2, sampleRateHz: 48_000 }))).toEqual(packets);
});

it.each([
  ['SILK, 10 ms', [0b00000_000], 10],
  ['SILK, 60 ms', [0b01011_000], 60],
  ['hybrid, 20 ms, twice', [0b01101_001], 40],
  ['CELT, 2.5 ms, twice', [0b10000_010], 5],
  ['CELT, 20 ms, six times', [0b11111_011, 6], 120],
  ['nothing', [], 0],
])('knows how long a packet lasts: %s', (_what, bytes, ms) => {
  expect(opusPacketMs(Uint8Array.from(bytes))).toBe(ms);
});
