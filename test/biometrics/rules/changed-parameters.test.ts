// What the audit trail says of a config set that takes the place of another.
import { expect, it } from 'vitest';
import { defaultParameters } from '../../../src/biometrics/model/parameters.js';
import { changedParameters } from '../../../src/biometrics/rules/changed-parameters.js';

const { authentication, voiceSearch } = defaultParameters;

it.each([
  ['nothing', {}, {}, {}],
  [
    'one value',
    { authentication: { ...authentication, falseAcceptRate: 0.02 } },
    { 'authentication.falseAcceptRate': authentication.falseAcceptRate },
    { 'authentication.falseAcceptRate': 0.02 },
  ],
  [
    'several, by name',
    { voiceSearch: { ...voiceSearch, hasLegalBasis: true, days: 7 } },
    { 'voiceSearch.days': voiceSearch.days, 'voiceSearch.hasLegalBasis': false },
    { 'voiceSearch.days': 7, 'voiceSearch.hasLegalBasis': true },
  ],
])('names %s that changed', (_name, change, before, after) => {
  expect(changedParameters(defaultParameters, { ...defaultParameters, ...change })).toEqual({
    before,
    after,
  });
});
