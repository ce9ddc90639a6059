/** WebM files with an Opus or Vorbis track, as browsers record them. */
import { opusMediaRateHz, OpusStream, parseOpusHead } from '../codecs/opus.js';
import { splitXiphHeaders, VorbisStream } from '../codecs/vorbis.js';
import type { SampleSink } from '../sample-sink.js';
import { DecodeFault, type Decoding } from '../types.js';
import { webmFrames, type WebmTrack } from './webm-elements.js';

interface FrameStream {
  push(packet: Uint8Array): void;
  free?(): void;
}

export async function* decodeWebm(sink: SampleSink, bytes: Uint8Array): Decoding {
  let track: WebmTrack | undefined;
  let stream: FrameStream | undefined;
  try {
    for (const frame of webmFrames(bytes, (found) => (track = found))) {
      stream ??= await open(sink, track as WebmTrack);
      stream.push(frame);
      if (sink.pauseIsDue()) yield;
    }
  } finally {
    stream?.free?.();
  }
  if (stream === undefined) throw new DecodeFault('NO_AUDIO', 'The WebM file holds no audio frames.');
}

async function open(sink: SampleSink, track: WebmTrack): Promise<FrameStream> {
  if (track.codecPrivate === undefined) throw new DecodeFault('CORRUPT', 'The WebM file has no codec setup.');
  if (track.codec === 'A_OPUS') {
    const head = parseOpusHead(track.codecPrivate);
    sink.codec = 'opus';
    sink.mediaRateHz = opusMediaRateHz(head);
    return OpusStream.open(sink, head);
  }
  if (track.codec === 'A_VORBIS') {
    sink.codec = 'vorbis';
    const stream = new VorbisStream(sink);
    for (const header of splitXiphHeaders(track.codecPrivate)) stream.push(header);
    return stream;
  }
  throw new DecodeFault(
    'UNSUPPORTED_FORMAT',
    `The WebM audio codec ${track.codec.replace(/[^\w/.-]/g, '?')} is not supported; Opus and Vorbis are.`,
  );
}
