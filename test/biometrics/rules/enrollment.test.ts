// What enrollment segments allow, and which audio may become one.
import { describe, expect, it } from 'vitest';
import type { ProcessedAudio } from '../../../src/biometrics/model/media.js';
import { resolveParameters } from '../../../src/biometrics/model/parameters.js';
import { admitSegment } from '../../../src/biometrics/rules/admit-segment.js';
import { enrollStatus } from '../../../src/biometrics/rules/enrollment-status.js';
import { seededRandom } from '../../../src/voice/evaluation/metrics.js';

const parameters = resolveParameters({
  enrollment: {
    segmentsMin: 2,
    segmentsOptimal: 3,
    segmentsMax: 4,
    netSpeechSecondsMin: 10,
    netSpeechSecondsOptimal: 20,
    netSpeechSecondsMinPerSegment: 2,
  },
});

describe('the enrollment status', () => {
  it.each([
    [0, 0, 'TRAIN_NOT_POSSIBLE'],
    [1, 60_000, 'TRAIN_NOT_POSSIBLE'],
    [2, 9_999, 'TRAIN_NOT_POSSIBLE'],
    [2, 10_000, 'TRAIN_POSSIBLE'],
    [3, 19_999, 'TRAIN_POSSIBLE'],
    [2, 20_000, 'TRAIN_POSSIBLE'],
    [3, 20_000, 'TRAIN_SUGGESTED'],
    [4, 0, 'FULL'],
    [9, 90_000, 'FULL'],
  ])('of %i segments with %i ms of speech is %s', (segments, netSpeechMs, status) => {
    expect(enrollStatus({ added: segments, trainable: segments, netSpeechMs }, parameters)).toBe(status);
  });
});

const good = {
  gkProcessedAudioId: 'a',
  gkMediaSegmentId: 'm',
  validity: 'AUDIO_OK',
  printType: 'VOICEPRINT',
  netAudioMs: 3000,
  model: { voice: { modelRevision: 'model-1', embedding: Float32Array.from([1, 0]) } },
  snrDb: 20,
  speechLevelDb: -25,
  saturationPerMinute: 0,
} as unknown as ProcessedAudio;
const voiceOf = (...embedding: number[]) => ({
  voice: { modelRevision: 'model-1', embedding: Float32Array.from(embedding) },
});
const segment = (gkProcessedAudioId: string, gkMediaSegmentId: string, embedding = [0, 1]) =>
  ({ gkProcessedAudioId, gkMediaSegmentId, model: voiceOf(...embedding) }) as unknown as ProcessedAudio;

/** Four seconds of speech of a sound of its own. */
const soundOf = (seed: number): Uint16Array => {
  const random = seededRandom(seed);
  return Uint16Array.from({ length: 100 }, () => 0x8000 | Math.floor(random() * 0x8000));
};
const joinedSounds = (...sounds: Uint16Array[]) => Uint16Array.from(sounds.flatMap((sound) => [...sound]));
const sounding = (audio: ProcessedAudio, fingerprint: Uint16Array) => ({ ...audio, fingerprint });
/** Made by an earlier speaker model, of which nothing can be read any more. */
const { model: _gone, ...unreadable } = segment('b', 'n');
const earlier = { ...unreadable, damaged: true } as ProcessedAudio;

describe('admission to a print', () => {
  const { model: _none, ...withoutModel } = good;
  const cases: [name: string, ProcessedAudio, ProcessedAudio[], string | undefined][] = [
    ['good audio', good, [], undefined],
    ['good audio beside another', good, [segment('b', 'n')], undefined],
    ['the same processed audio', good, [segment('a', 'm')], 'ALREADY_ADDED'],
    ['the same media processed again', good, [segment('b', 'm')], 'ALREADY_ADDED'],
    ['audio that only attack checks saw', { ...good, printType: 'NONE' }, [], 'WRONG_PRINT_TYPE'],
    ['audio of a verification', { ...good, heardInCheck: true }, [], 'WRONG_PRINT_TYPE'],
    ['the same recording in another upload', good, [segment('b', 'n', [1, 0])], 'ALREADY_ADDED'],
    ['a copy of another sound', sounding(good, soundOf(1)), [sounding(earlier, soundOf(1))], 'ALREADY_ADDED'],
    ['another sound', sounding(good, soundOf(2)), [sounding(earlier, soundOf(1))], undefined],
    [
      'mostly what two segments hold already',
      sounding(good, joinedSounds(soundOf(1), soundOf(3), soundOf(2))),
      [sounding(earlier, soundOf(1)), sounding(segment('c', 'o'), soundOf(2))],
      'ALREADY_ADDED',
    ],
    [
      'mostly new, with a part of a segment',
      sounding(good, joinedSounds(soundOf(1), soundOf(3), soundOf(4))),
      [sounding(earlier, soundOf(1))],
      undefined,
    ],
    ['audio that is too noisy to enroll', { ...good, snrDb: 7.9 }, [], 'MISSING_MODEL'],
    ['audio that is too soft to enroll', { ...good, speechLevelDb: -50.1 }, [], 'MISSING_MODEL'],
    ['audio that is clipped too often', { ...good, saturationPerMinute: 6001 }, [], 'MISSING_MODEL'],
    [
      'bytes that are no audio, whatever their length',
      { ...withoutModel, validity: 'INVALID_AUDIO', netAudioMs: 0 },
      [],
      'MISSING_MODEL',
    ],
    ['too little speech', { ...good, netAudioMs: 1999 }, [], 'TOO_SHORT'],
    ['audio judged too short', { ...good, validity: 'AUDIO_TOO_SHORT' }, [], 'TOO_SHORT'],
    ['audio without a model', withoutModel, [], 'MISSING_MODEL'],
    [
      'a model of another revision',
      { ...good, model: { voice: { modelRevision: 'model-0' } } } as unknown as ProcessedAudio,
      [],
      'MISSING_MODEL',
    ],
  ];
  it.each(cases)('%s', (_name, audio, segments, reason) => {
    expect(admitSegment(audio, segments, parameters, 'model-1')).toBe(reason);
  });
});
