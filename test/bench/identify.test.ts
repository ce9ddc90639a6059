// @module-tag slow
import { expect, it } from 'vitest';
import { run as benchGallery } from '../../bench/gallery.js';
import { run as benchIdentify } from '../../bench/identify.js';
import { run as benchVoiceSearch } from '../../bench/voice-search.js';

it('the benchmark of 1:N search runs on small input', async () => {
  const report = await benchIdentify({ seconds: 1, tiny: true });
  expect(report.details?.['figures']).toMatchObject([
    { prints: 1000, exact: true },
    { prints: 2000, exact: true },
  ]);
});

it('the benchmark of galleries that are kept runs on small input', async () => {
  const report = await benchGallery({ seconds: 1, tiny: true });
  expect(report.details?.['figures']).toMatchObject({ prints: 3000 });
});

it('the benchmark of looking back runs on small input, and finds the caller', async () => {
  const report = await benchVoiceSearch({ seconds: 1, tiny: true });
  expect(report.details?.['figures']).toMatchObject({ calls: 500, found: 1 });
});
