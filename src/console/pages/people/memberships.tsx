// The groups of a person, or the watchlists of a fraudster: queried list by list, and therefore only if there
// are few.
import { Fragment, type ReactNode } from 'react';
import { useQuery, type Query } from '../../api/hooks.js';
import { Link } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { collectionKinds, listCollections, partyKinds, type Collection } from './kinds.js';

const ASKED_MAX = 25;

/** `lists` is undefined if there are too many to query. */
export interface Memberships {
  lists: readonly Collection[] | undefined;
}

export function useMemberships(kind: PartyKind, gkId: string): Query<Memberships> {
  const read = useReadContext();
  return useQuery<Memberships>(read && `memberships ${kind} ${gkId}`, async (signal) => {
    const context = read as Context;
    const { collection } = partyKinds[kind];
    const { rows, next } = await listCollections(collection, context, { pageSize: ASKED_MAX }, signal);
    if (next) return { lists: undefined };
    const filled = rows.filter(({ members }) => members > 0);
    const isIn = await Promise.all(
      filled.map((list) => collectionKinds[collection].hasMember(context, list.gkId, gkId, signal)),
    );
    return { lists: filled.filter((_list, index) => isIn[index]) };
  });
}

export function MembershipLinks({
  kind,
  lists,
}: {
  kind: PartyKind;
  lists: readonly Collection[];
}): ReactNode {
  if (lists.length === 0) return shell.none;
  const { path } = collectionKinds[partyKinds[kind].collection];
  return lists.map(({ gkId, id }, index) => (
    <Fragment key={gkId}>
      {index > 0 ? ', ' : null}
      <Link to={`/people/${path}/${gkId}`}>{id}</Link>
    </Fragment>
  ));
}
