// What enrollment segments allow, and which audio may become one.
import { describe, expect, it } from 'vitest';
import type { ProcessedAudio } from '../../../src/biometrics/model/media.js';
import { resolveParameters } from '../../../src/biometrics/model/parameters.js';
import type { EnrollmentSegment } from '../../../src/biometrics/model/profiles.js';
import { admitSegment } from '../../../src/biometrics/rules/admit-segment.js';
import { enrollStatus } from '../../../src/biometrics/rules/enrollment-status.js';

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
    expect(enrollStatus(segments, netSpeechMs, parameters)).toBe(status);
  });
});

const good = {
  gkProcessedAudioId: 'a',
  gkMediaSegmentId: 'm',
  validity: 'AUDIO_OK',
  printType: 'VOICEPRINT',
  netAudioMs: 3000,
  model: { voice: { modelRevision: 'model-1' } },
} as unknown as ProcessedAudio;
const segment = (gkProcessedAudioId: string, gkMediaSegmentId: string) =>
  ({ gkProcessedAudioId, gkMediaSegmentId }) as EnrollmentSegment;

describe('admission to a print', () => {
  const { model: _none, ...withoutModel } = good;
  const cases: [name: string, ProcessedAudio, EnrollmentSegment[], string | undefined][] = [
    ['good audio', good, [], undefined],
    ['good audio beside another', good, [segment('b', 'n')], undefined],
    ['the same processed audio', good, [segment('a', 'm')], 'ALREADY_ADDED'],
    ['the same media processed again', good, [segment('b', 'm')], 'ALREADY_ADDED'],
    ['audio that only attack checks saw', { ...good, printType: 'NONE' }, [], 'WRONG_PRINT_TYPE'],
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
