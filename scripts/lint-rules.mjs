// The rules of the dialect in docs/HACKING.md that no linter has, for oxlint (.oxlintrc.json).
import { constantNames } from './constant-names.mjs';
import { privateMembers, timesWithUnit } from './member-rules.mjs';
import { names } from './names-rule.mjs';

export default {
  meta: { name: 'voxgate' },
  rules: {
    names,
    'constant-names': constantNames,
    'private-members': privateMembers,
    'times-with-unit': timesWithUnit,
  },
};
