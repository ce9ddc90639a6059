// Damaged and hostile files of every accepted format through the service: the status stays OK, the validity says
// what is wrong, nothing is compared, and nothing breaks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInLanes } from '../support/lanes.js';
import { Platform, fixture, utterance, type RequestContext } from './support.js';

const formats: Record<string, { file: string; upload?: object }> = {
  'WAV, 8-bit PCM': { file: 'pcm-u8-8k.wav' },
  'WAV, 16-bit PCM': { file: 'pcm-s16-16k.wav' },
  'WAV, 24-bit PCM': { file: 'pcm-s24-16k.wav' },
  'WAV, 32-bit PCM': { file: 'pcm-s32-8k.wav' },
  'WAV, float': { file: 'pcm-f32-8k.wav' },
  'WAV, A-law': { file: 'alaw-8k.wav' },
  'WAV, mu-law': { file: 'mulaw-8k.wav' },
  'WAV, extensible': { file: 'extensible-8k.wav' },
  MP3: { file: 'mono-16k.mp3', upload: { container: 'CONTAINER_MP3' } },
  FLAC: { file: 'mono-16k.flac' },
  'Ogg Vorbis': { file: 'mono-16k.ogg' },
  'Ogg Opus': { file: 'mono-16k.opus' },
  'Ogg FLAC': { file: 'mono-8k.ogg-flac.ogg' },
  'WebM Opus': { file: 'opus-mono.webm' },
  'WebM Vorbis': { file: 'vorbis-stereo.webm' },
};
const headerless: Record<string, { file: string; upload: object }> = {
  'raw PCM': {
    file: 's16-8k.raw',
    upload: { container: 'CONTAINER_RAW', format: { pcm: { sampleRateHz: 8000 } } },
  },
  'raw A-law': { file: 'alaw-8k.raw', upload: { container: 'CONTAINER_RAW', format: { alaw: {} } } },
  'raw mu-law': { file: 'mulaw-8k.raw', upload: { container: 'CONTAINER_RAW', format: { ulaw: {} } } },
};

/** Bytes that look random, the same in every run. */
function noise(length: number): Uint8Array {
  let state = 12345;
  return Uint8Array.from({ length }, () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24);
}

/** A decoder may get over it: then the rest is a stranger's voice like any other. */
const anything = /^REASON_(AUDIO_(OK|TOO_SHORT|TOO_NOISY|TOO_LOUD|TOO_SOFT)|INVALID_AUDIO)$/;

/** What is done to a file, and what its validity may then be. */
const damages: [string, (bytes: Uint8Array) => Uint8Array, RegExp][] = [
  ['its first byte', (bytes) => bytes.slice(0, 1), /INVALID_AUDIO/],
  ['its first 10 bytes', (bytes) => bytes.slice(0, 10), /INVALID_AUDIO/],
  ['noise behind its first bytes', (bytes) => joined(bytes.slice(0, 16), noise(4000)), /INVALID_AUDIO/],
  // What can still be read is judged for what it is: two seconds of clip become one.
  ['cut in half', (bytes) => bytes.slice(0, bytes.length / 2), /INVALID_AUDIO|AUDIO_TOO_SHORT/],
  [
    'a hole in the middle',
    (bytes) => {
      const copy = bytes.slice();
      copy.set(noise(Math.floor(bytes.length / 5)), Math.floor(bytes.length / 2));
      return copy;
    },
    anything,
  ],
  ['sizes that lie', (bytes) => lie(bytes), anything],
];

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Every length field in the first part of the file says far too much. */
function lie(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  copy.fill(0xff, 4, 8);
  copy.fill(0xff, 40, 44);
  return copy;
}

let platform: Platform;
let context: RequestContext;
/** Of somebody who is heard in none of the files. */
let stranger: { profile: string };

beforeAll(async () => {
  platform = await Platform.start({ parameters: { locks: { mismatchesMax: 100 } } });
  stranger = await platform.printOf('carl');
  context = await platform.open();
});
afterAll(() => platform.stop());

async function verifyFile(bytes: Uint8Array, upload: object) {
  const gkMediaSegmentId = { value: await platform.upload(context, bytes, upload) };
  const processed = await platform.post('/v1/audios/process', { context, gkMediaSegmentId });
  expect(processed.status).toBe(200);
  expect(processed.body.status.statusCode).toBe('OK');
  const { validity, gkProcessedAudioId } = processed.body.result;
  const verified = await platform.post(`/v1/voiceprints/${stranger.profile}/verification`, {
    context,
    gkProcessedAudioId,
  });
  expect(verified.status).toBe(200);
  return { validity: validity as string, result: verified.body.result };
}

describe.each(Object.entries(formats))('%s', (_name, { file, upload = { container: 'CONTAINER_WAV' } }) => {
  itInLanes(damages)('%s', async (_what, damage, wanted) => {
    const { validity, result } = await verifyFile(damage(fixture('formats', file)), upload);
    expect(validity).toMatch(wanted);
    if (validity === 'REASON_AUDIO_OK') {
      expect(result.decision).toMatch(/^DECISION_(NO_MATCH|UNCERTAIN)$/);
      return;
    }
    expect(result.decision).toBe('DECISION_UNCERTAIN');
    expect(result.reason).toBe(validity.replace('REASON_', 'DECISION_REASON_'));
    expect(result.authenticationScore).toBeUndefined();
  });
});

// Every byte string is audio without a header: what is wrong shows in what is heard.
describe.each(Object.entries(headerless))('%s', (_name, { file, upload }) => {
  it.each([
    ['half a sample', new Uint8Array(1), /INVALID_AUDIO|AUDIO_TOO_SHORT|AUDIO_TOO_SOFT/],
    ['noise', noise(64_000), /AUDIO_TOO_SHORT|AUDIO_TOO_LOUD|AUDIO_TOO_NOISY/],
    ['a file of another format', utterance('anna', 4), /AUDIO_TOO_SHORT|AUDIO_TOO_LOUD|AUDIO_TOO_NOISY/],
    ['cut in half', fixture('formats', file).slice(0, 8001), /AUDIO_TOO_SHORT/],
  ] as const)('%s', async (_what, bytes, wanted) => {
    const { validity, result } = await verifyFile(bytes, upload);
    expect(validity).toMatch(wanted);
    expect(result.decision).toBe('DECISION_UNCERTAIN');
    expect(result.authenticationScore).toBeUndefined();
  });
});

it('decides by the content, whatever the container was said to be', async () => {
  for (const container of ['CONTAINER_WAV', 'CONTAINER_MP3']) {
    const { validity } = await verifyFile(utterance('anna', 4), { container });
    expect(validity).toBe('REASON_AUDIO_OK');
  }
});
