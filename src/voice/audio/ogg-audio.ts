/** Ogg files: picks the codec by the first packet and feeds it (Opus, Vorbis, FLAC). */
import type { SampleSink } from './sample-sink.js';
import { DecodeFault } from './types.js';
import { FlacFrames, parseStreamInfo } from './flac.js';
import { oggPackets, type OggDamage, type OggPacket } from './ogg.js';
import { opusMediaRateHz, OpusStream, parseOpusHead } from './opus.js';
import { VorbisStream } from './vorbis.js';

type OggCodec = 'opus' | 'vorbis' | 'flac';

function codecOf(first: Uint8Array): OggCodec | undefined {
  const text = String.fromCharCode(...first.subarray(0, 8));
  if (text === 'OpusHead') return 'opus';
  if (text.startsWith('\x01vorbis')) return 'vorbis';
  if (text.startsWith('\x7fFLAC')) return 'flac';
  return undefined;
}

async function opus(sink: SampleSink, first: OggPacket, packets: Generator<OggPacket>): Promise<number> {
  const head = parseOpusHead(first.data);
  const stream = await OpusStream.open(sink, head);
  try {
    let index = 0;
    for (const packet of packets) {
      if (index++ === 0) continue; // the comment header
      stream.push(packet.data);
      if (packet.lastPage && packet.granule !== undefined) stream.trimTo(packet.granule);
    }
  } finally {
    stream.free();
  }
  return opusMediaRateHz(head);
}

async function vorbis(sink: SampleSink, first: OggPacket, packets: Generator<OggPacket>): Promise<void> {
  const stream = await VorbisStream.open(sink);
  try {
    stream.push(first.data);
    for (const packet of packets) {
      stream.push(packet.data);
      if (packet.lastPage && packet.granule !== undefined) stream.trimTo(packet.granule);
    }
  } finally {
    stream.free();
  }
}

function flac(sink: SampleSink, first: OggPacket, packets: Generator<OggPacket>): void {
  // "\x7fFLAC", version, header count, then "fLaC" and the stream information block of a plain file.
  const frames = new FlacFrames(sink, parseStreamInfo(first.data, 17));
  for (const packet of packets) if (packet.data[0] === 0xff) frames.take(packet.data, 0);
  if (frames.badFrames > 0) sink.warn('Parts of the FLAC stream are damaged and were left out.');
}

export async function decodeOgg(
  sink: SampleSink,
  bytes: Uint8Array,
): Promise<{ codec: string; mediaRateHz: number | undefined }> {
  const damage: OggDamage = { badPages: 0 };
  const packets = oggPackets(bytes, (first) => codecOf(first) !== undefined, damage);
  const first = packets.next();
  if (first.done)
    throw new DecodeFault(
      'UNSUPPORTED_FORMAT',
      'The Ogg file holds no Opus, Vorbis or FLAC stream that can be read.',
    );
  const codec = codecOf(first.value.data);
  let mediaRateHz: number | undefined;
  if (codec === 'opus') mediaRateHz = await opus(sink, first.value, packets);
  else if (codec === 'vorbis') await vorbis(sink, first.value, packets);
  else flac(sink, first.value, packets);
  if (damage.badPages > 0) {
    sink.truncated = true;
    sink.warn('Parts of the Ogg file are damaged or missing.');
  }
  return { codec: codec ?? 'flac', mediaRateHz };
}
