// Files made to cost time: each must end in a reason after a bounded amount of work, which the budget counts.
import { describe, expect, it } from 'vitest';
import { decodeAudio } from '../../../src/voice/audio/decode-audio.js';
import { WorkBudget } from '../../../src/voice/audio/work-budget.js';
import { timeBombs } from '../../support/time-bombs.js';

describe('a file made to cost time', () => {
  it.each(Object.keys(timeBombs))('%s ends in a reason', async (name) => {
    const result = await decodeAudio((timeBombs[name] as (bytes: number) => Uint8Array)(1 << 20));
    expect(result.ok).toBe(false);
  });

  it('is given up once it has wasted more than its size allows', () => {
    const budget = new WorkBudget(1000);
    budget.waste(4_000_000);
    budget.waste(4000);
    expect(() => budget.waste(1)).toThrow('too long');
  });
});
