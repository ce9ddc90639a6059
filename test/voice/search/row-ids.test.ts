// The table of identifiers against a plain map, through many changes.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { RowIds } from '../../../src/voice/search/row-ids.js';
import { createRng } from '../../support/sounds.js';

const random = createRng(3);

it('knows every row by its identifier, UUID or not, through additions, moves and removals', () => {
  const ids = new RowIds();
  const known: string[] = [];
  const pool = Array.from({ length: 400 }, (_, index) => (index % 3 === 0 ? `text ${index}` : randomUUID()));
  const any = (): string => pool[Math.floor(random() * pool.length)] as string;
  for (let round = 0; round < 20_000; round++) {
    if (random() < 0.52 || known.length === 0) {
      ids.put(known.length, any());
      known.push(ids.id(known.length));
    } else {
      const row = Math.floor(random() * known.length);
      const last = known.length - 1;
      ids.forget(row);
      if (row !== last) {
        ids.move(last, row);
        known[row] = known[last] as string;
      }
      known.pop();
    }
    const asked = any();
    const wanted = known.flatMap((id, row) => (id === asked ? row : []));
    if (round % 50 === 0) expect(ids.rows(asked).sort((a, b) => a - b)).toEqual(wanted);
  }
  known.forEach((id, row) => expect(ids.id(row)).toBe(id));
  expect(ids.rows(randomUUID())).toEqual([]);
  expect(ids.rows('a text that was never there')).toEqual([]);
});
