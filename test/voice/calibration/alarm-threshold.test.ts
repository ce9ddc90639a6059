// A tenant's own alarm threshold: what it promises, on callers who set nothing.
import { describe, expect, it } from 'vitest';
import {
  linesByBand,
  tenantAlarmThreshold,
  type HeardCaller,
} from '../../../src/voice/calibration/alarm-threshold.js';
import { seededRandom } from '../../../src/voice/evaluation/metrics.js';

/** One recording each, with these risks. */
const alone = (risks: readonly number[]): HeardCaller[] =>
  risks.map((risk, place) => ({ person: `caller-${place}`, risk }));

describe('the alarm threshold of a tenant', () => {
  it('lies just above the highest of 99 recordings for one in a hundred', () => {
    const callers = alone(Array.from({ length: 99 }, (_, place) => place + 100));
    expect(tenantAlarmThreshold(callers, 0.01)).toMatchObject({ riskHigh: 199, alarms: 0 });
  });

  it('lies just above the second highest of 199', () => {
    const callers = alone(Array.from({ length: 199 }, (_, place) => 2 * place));
    expect(tenantAlarmThreshold(callers, 0.01)).toMatchObject({ riskHigh: 395, alarms: 1 });
  });

  it('refuses to promise what so few cannot show', () => {
    expect(() => tenantAlarmThreshold(alone(Array(98).fill(10)), 0.01)).toThrow(
      'at least 99 recordings are needed for this share, 98 were heard',
    );
    const few = Array.from({ length: 200 }, (_, place) => ({ person: `caller-${place % 19}`, risk: 10 }));
    expect(() => tenantAlarmThreshold(few, 0.01)).toThrow(
      'recordings of at least 20 people are needed, 19 were heard',
    );
  });

  it('tells what it does to people who did not set it: an odd caller is not judged by a threshold that he set', () => {
    const callers = [...alone(Array(150).fill(50)), { person: 'odd', risk: 600 }];
    expect(tenantAlarmThreshold(callers, 0.01)).toMatchObject({
      riskHigh: 601,
      alarms: 0,
      checkedAlarms: 1,
      withoutOne: 51,
    });
  });

  it('is set by people: many recordings of one say as little as one about others', () => {
    const each = (count: number, of: number) =>
      Array.from({ length: 200 }, (_, place) => ({
        person: `caller-${place % of}`,
        risk: place < count ? 500 : 10,
      }));
    const [alike, alone] = [each(10, 20), each(10, 200)].map(
      (callers) => tenantAlarmThreshold(callers, 0.05).checked,
    );
    const width = (interval = { low: 0, high: 0 }) => interval.high - interval.low;
    expect(width(alike)).toBeGreaterThanOrEqual(width(alone));
    const ofOne = Array.from({ length: 200 }, (_, place) => ({
      person: `caller-${place < 30 ? 0 : place % 40}`,
      risk: place < 30 ? 400 : 10,
    }));
    // The one caller with thirty of them is all of the alarms, or none.
    expect(tenantAlarmThreshold(ofOne, 0.01)).toMatchObject({
      riskHigh: 401,
      withoutOne: 11,
      checkedAlarms: 30,
    });
    expect(tenantAlarmThreshold(ofOne, 0.01).checked.high).toBeGreaterThan(0.3);
  });

  it('is one for telephones and another for microphones, as far as each has callers', () => {
    const band = (bandwidth: 'narrow' | 'wide', count: number, risk: number) =>
      alone(Array(count).fill(risk)).map((caller) => ({ ...caller, bandwidth }));
    expect(linesByBand([...band('narrow', 100, 400), ...band('wide', 120, 90)], 0.01)).toMatchObject([
      { bandwidth: 'narrow', people: 100, line: { riskHigh: 401 } },
      { bandwidth: 'wide', people: 120, line: { riskHigh: 91 } },
    ]);
    const [narrow, wide] = linesByBand([...band('narrow', 30, 400), ...band('wide', 120, 90)], 0.01);
    expect(narrow?.refusal).toBe('at least 99 recordings are needed for this share, 30 were heard');
    expect(narrow?.line).toBeUndefined();
    expect(wide?.line?.riskHigh).toBe(91);
    expect(linesByBand(band('wide', 120, 90), 0.01)).toHaveLength(1);
  });

  it('stays within what a config set takes', () => {
    expect(tenantAlarmThreshold(alone(Array(120).fill(0)), 0.01).riskHigh).toBe(1);
    expect(() => tenantAlarmThreshold(alone(Array(120).fill(1000)), 0.01)).toThrow(
      '120 of 120 recordings have the highest risk: no line gives so few alarms',
    );
  });

  it('keeps its promise in the mean on callers who come later', () => {
    const random = seededRandom(7);
    const risk = (): number =>
      Math.round(1000 / (1 + Math.exp(4 - 3 * (random() + random() + random() - 1.5))));
    let alarms = 0;
    const rounds = 60;
    const later = 200;
    for (let round = 0; round < rounds; round++) {
      const { riskHigh } = tenantAlarmThreshold(alone(Array.from({ length: 250 }, risk)), 0.02);
      alarms += Array.from({ length: later }, risk).filter((each) => each >= riskHigh).length;
    }
    const share = alarms / (rounds * later);
    expect(share).toBeGreaterThan(0.012);
    expect(share).toBeLessThanOrEqual(0.0215);
  });
});
