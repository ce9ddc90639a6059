// Pairs that somebody has said to be one person under two names: not compared with each other, until that is taken back.
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { t } from '../../text/accuracy.js';
import { PersonLink } from '../biosec/person-link.js';
import type { SamePair } from './rates.js';

const text = t.report;

export function LeftOut({
  pairs,
  onPairs,
}: {
  pairs: readonly SamePair[];
  onPairs: (pairs: readonly SamePair[]) => void;
}): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const told = useRef(pairs.length);
  // The button that was pressed goes away with its row.
  useEffect(() => {
    if (told.current !== pairs.length) list.current?.focus();
    told.current = pairs.length;
  }, [pairs.length]);
  if (pairs.length === 0) return null;
  return (
    <section className="stack" data-tight>
      <p>{text.leftOut}</p>
      <ul className="stack" data-tight ref={list} tabIndex={-1} aria-label={text.leftOut}>
        {pairs.map((pair) => (
          <li key={`${pair.owner} ${pair.other}`} className="row">
            <span>
              {fill(text.leftOutPair, {
                one: <PersonLink gkId={pair.owner} />,
                other: <PersonLink gkId={pair.other} />,
              })}
            </span>
            <Button size="small" kind="quiet" onClick={() => onPairs(pairs.filter((each) => each !== pair))}>
              {text.countAgain}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
