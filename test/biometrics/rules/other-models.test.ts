// Which of two speaker models a comparison is left to while an upgrade goes from node to node.
import { describe, expect, it } from 'vitest';
import { addUp, betterModel, countByModel } from '../../../src/biometrics/rules/other-models.js';

describe('while nodes have different speaker models, a comparison is left', () => {
  it.each([
    ['to nobody while all prints are of this node', 3, {}, ['old'], undefined],
    ['to nodes that have the model of the only print', 0, { old: 1 }, ['old'], 'old'],
    ['to nobody where no node has that model', 0, { old: 1 }, [], undefined],
    ['to nobody where other nodes have a third model', 0, { old: 1 }, ['older'], undefined],
    ['to nodes that see more of a list', 2, { old: 3 }, ['old'], 'old'],
    ['to nobody where they see as much', 3, { old: 3 }, ['old'], undefined],
    ['to nobody where they see less', 3, { old: 1 }, ['old'], undefined],
    ['to those who see the most', 1, { old: 2, older: 5 }, ['old', 'older'], 'older'],
    ['to those who are there', 1, { old: 2, older: 5 }, ['old'], 'old'],
  ])('%s', (_case, own, others, elsewhere, expected) => {
    expect(betterModel(own, others, elsewhere)).toBe(expected);
  });

  it('counts the prints of each model over all parts of a list', () => {
    expect(addUp([countByModel(['old', 'older', 'old']), {}, { old: 1 }])).toEqual({ old: 3, older: 1 });
  });
});
