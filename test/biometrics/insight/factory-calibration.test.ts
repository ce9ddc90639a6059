// The calibration that comes with the model: new thresholds for the same embeddings are a calibration of their own.
import { expect, it } from 'vitest';
import {
  activeCalibration,
  ensureFactoryCalibration,
  factoryRevisionId,
} from '../../../src/biometrics/calibration/active.js';
import { forEachDatabase } from '../../support/database.js';
import { model, prepare, SCOPE } from '../galleries/prints.js';

await forEachDatabase(({ open }) => {
  it('changes with the thresholds, while prints stay with the model', async () => {
    const { store, clock } = await prepare(await open());
    // As two nodes do that start at the same time.
    await Promise.all([1, 2].map(() => ensureFactoryCalibration(store, clock, model)));
    const stricter = { ...model, calibrationRevision: '2', thresholds: [{ far: 0.01, llr: 3 }] };
    await ensureFactoryCalibration(store, clock, stricter);
    await ensureFactoryCalibration(store, clock, stricter);
    const [before, after] = [factoryRevisionId(model.revision), factoryRevisionId(model.revision, '2')];
    expect(after).not.toBe(before);
    const known = await store.read.calibrations.list(SCOPE, { types: ['VOICEPRINTS'] });
    expect(new Map(known.map((each) => [each.gkCalibrationModelRevisionId, each.state]))).toEqual(
      new Map([
        [before, 'INACTIVE'],
        [after, 'ACTIVE'],
      ]),
    );
    expect(await activeCalibration(store, SCOPE, stricter)).toMatchObject({
      revisionId: after,
      model: stricter,
    });
  });
});
