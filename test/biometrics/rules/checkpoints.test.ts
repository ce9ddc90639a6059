// When a decision falls before the audio ends, and when that also ends the listening.
import { describe, expect, it } from 'vitest';
import { resolveParameters, type ParameterOverrides } from '../../../src/biometrics/model/parameters.js';
import { checkpointSeconds, mayStopListening } from '../../../src/biometrics/rules/checkpoints.js';

const none = { synthetic: false, playback: false };

describe('checkpoints', () => {
  it('are those of both sides, each once, ascending', () => {
    const parameters = resolveParameters({
      authentication: { checkpointsForAuthentication: [10, 3] },
      fraudDetection: { checkpointsForFraudDetection: [20, 10] },
    });
    expect(checkpointSeconds(parameters)).toEqual([3, 10, 20]);
  });

  it.each<[string, ParameterOverrides, { synthetic: boolean; playback: boolean }, boolean]>([
    ['end the listening', {}, none, true],
    ['but not before a check for synthetic speech', {}, { synthetic: true, playback: false }, false],
    ['nor before one for playback', {}, { synthetic: false, playback: true }, false],
    ['nor where speakers are counted', { audio: { EnableSegmentation: true } }, none, false],
    ['nor where a print learns', { authentication: { nearTermAdaptation: true } }, none, false],
  ])('%s', (_name, overrides, checks, expected) => {
    expect(mayStopListening(resolveParameters(overrides), checks)).toBe(expected);
  });
});
