/** Ogg files: picks the codec by the first packet and feeds it (Opus, Vorbis, FLAC). */
import { FlacFrames, parseStreamInfo } from '../codecs/flac.js';
import { opusMediaRateHz, OpusStream, parseOpusHead } from '../codecs/opus.js';
import { VorbisStream } from '../codecs/vorbis.js';
import type { SampleSink } from '../sample-sink.js';
import { DecodeFault, type Decoding } from '../types.js';
import { oggPackets, type OggDamage, type OggPacket } from './ogg-pages.js';

type OggCodec = 'opus' | 'vorbis' | 'flac';

function codecOf(first: Uint8Array): OggCodec | undefined {
  const text = String.fromCharCode(...first.subarray(0, 8));
  if (text === 'OpusHead') return 'opus';
  if (text.startsWith('\x01vorbis')) return 'vorbis';
  if (text.startsWith('\x7fFLAC')) return 'flac';
  return undefined;
}

async function* opus(sink: SampleSink, first: OggPacket, packets: Generator<OggPacket>): Decoding {
  const head = parseOpusHead(first.data);
  sink.mediaRateHz = opusMediaRateHz(head);
  const stream = await OpusStream.open(sink, head);
  try {
    let index = 0;
    for (const packet of packets) {
      if (index++ === 0) continue; // the comment header
      stream.push(packet.data);
      if (packet.lastPage && packet.granule !== undefined) stream.trimTo(packet.granule);
      if (sink.pauseIsDue()) yield;
    }
  } finally {
    stream.free();
  }
}

async function* vorbis(sink: SampleSink, first: OggPacket, packets: Generator<OggPacket>): Decoding {
  const stream = new VorbisStream(sink);
  stream.push(first.data);
  for (const packet of packets) {
    stream.push(packet.data);
    if (packet.lastPage && packet.granule !== undefined) stream.trimTo(packet.granule);
    if (sink.pauseIsDue()) yield;
  }
}

async function* flac(sink: SampleSink, first: OggPacket, packets: Generator<OggPacket>): Decoding {
  // "\x7fFLAC", version, header count, then "fLaC" and the stream information block of a plain file.
  const frames = new FlacFrames(sink, parseStreamInfo(first.data, 17));
  for (const packet of packets) {
    if (packet.data[0] === 0xff) frames.take(packet.data, 0);
    if (sink.pauseIsDue()) yield;
  }
  if (frames.badFrames > 0) sink.warn('Parts of the FLAC stream are damaged and were left out.');
}

const decoders = { opus, vorbis, flac };

export async function* decodeOgg(sink: SampleSink, bytes: Uint8Array): Decoding {
  const damage: OggDamage = { badPages: 0 };
  const packets = oggPackets(bytes, (first) => codecOf(first) !== undefined, damage, sink.budget);
  const first = packets.next();
  if (first.done)
    throw new DecodeFault(
      'UNSUPPORTED_FORMAT',
      'The Ogg file holds no Opus, Vorbis or FLAC stream that can be read.',
    );
  const codec = codecOf(first.value.data) ?? 'flac';
  sink.codec = codec;
  yield* decoders[codec](sink, first.value, packets);
  if (damage.badPages > 0) {
    sink.truncated = true;
    sink.warn('Parts of the Ogg file are damaged or missing.');
  }
}
