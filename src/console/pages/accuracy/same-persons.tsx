// Pairs that somebody has declared to be one person under two names: not compared with each other until that
// is undone.
import { useEffect, useRef, type ReactNode } from 'react';
import type { SamePersonsJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { Time } from '../../kit/time.js';
import { t } from '../../text/accuracy.js';
import { useMemberNames } from '../biosec/members.js';
import { PersonLink } from '../biosec/person-link.js';
import type { PairOfPersons } from './same-pairs.js';

const text = t.report;

export function SamePersons({
  pairs,
  takesFocus,
  onTwo,
}: {
  pairs: readonly SamePersonsJson[];
  /** When a pair is added or removed, the pressed button disappears with its row. */
  takesFocus: boolean;
  onTwo: (pair: PairOfPersons) => void;
}): ReactNode {
  const nameOf = useMemberNames();
  const list = useRef<HTMLUListElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const told = useRef(pairs.length);
  useEffect(() => {
    if (told.current !== pairs.length && takesFocus) (list.current ?? place.current)?.focus();
    told.current = pairs.length;
  }, [pairs.length, takesFocus]);
  return (
    <div className="stack" data-tight ref={place} tabIndex={-1}>
      {pairs.length === 0 ? null : (
        <>
          <p>{text.samePersons}</p>
          <ul className="stack" data-tight ref={list} tabIndex={-1} aria-label={text.samePersons}>
            {pairs.map(({ gkPersonId, gkOtherPersonId, member, createTime }) => {
              const pair = { one: gkPersonId?.value ?? '', other: gkOtherPersonId?.value ?? '' };
              return (
                <li key={`${pair.one} ${pair.other}`} className="row">
                  <span>
                    {fill(text.samePersonsPair, {
                      one: <PersonLink gkId={pair.one} />,
                      other: <PersonLink gkId={pair.other} />,
                    })}
                  </span>
                  <span className="small soft">
                    <Time at={createTime} within={(time) => text.samePersonsBy(nameOf(member), time)} />
                  </span>
                  <Button size="small" kind="quiet" onClick={() => onTwo(pair)}>
                    {text.countAgain}
                  </Button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}
