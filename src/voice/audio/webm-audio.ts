/** WebM files with an Opus or Vorbis track, as browsers record them. */
import type { SampleSink } from './sample-sink.js';
import { DecodeFault } from './types.js';
import { webmFrames, type WebmTrack } from './ebml.js';
import { opusMediaRateHz, OpusStream, parseOpusHead } from './opus.js';
import { splitXiphHeaders, VorbisStream } from './vorbis.js';

interface FrameStream {
  push(packet: Uint8Array): void;
  free(): void;
}

export async function decodeWebm(
  sink: SampleSink,
  bytes: Uint8Array,
): Promise<{ codec: string; mediaRateHz: number | undefined }> {
  let track: WebmTrack | undefined;
  let stream: FrameStream | undefined;
  let mediaRateHz: number | undefined;
  try {
    for (const frame of webmFrames(bytes, (found) => (track = found))) {
      if (stream === undefined) {
        const opened = await open(sink, track as WebmTrack);
        stream = opened.stream;
        mediaRateHz = opened.mediaRateHz;
      }
      stream.push(frame);
    }
  } finally {
    stream?.free();
  }
  if (stream === undefined) throw new DecodeFault('NO_AUDIO', 'The WebM file holds no audio frames.');
  return { codec: (track as WebmTrack).codec === 'A_OPUS' ? 'opus' : 'vorbis', mediaRateHz };
}

async function open(
  sink: SampleSink,
  track: WebmTrack,
): Promise<{ stream: FrameStream; mediaRateHz: number | undefined }> {
  if (track.codecPrivate === undefined) throw new DecodeFault('CORRUPT', 'The WebM file has no codec setup.');
  if (track.codec === 'A_OPUS') {
    const head = parseOpusHead(track.codecPrivate);
    return { stream: await OpusStream.open(sink, head), mediaRateHz: opusMediaRateHz(head) };
  }
  if (track.codec === 'A_VORBIS') {
    const headers = splitXiphHeaders(track.codecPrivate);
    const stream = await VorbisStream.open(sink);
    try {
      for (const header of headers) stream.push(header);
    } catch (fault) {
      stream.free();
      throw fault;
    }
    return { stream, mediaRateHz: undefined };
  }
  throw new DecodeFault(
    'UNSUPPORTED_FORMAT',
    `The WebM audio codec ${track.codec.replace(/[^\w/.-]/g, '?')} is not supported; Opus and Vorbis are.`,
  );
}
