// Pairs that somebody of the tenant has declared to be one person under two names; kept by the server, for
// everybody who measures.
import { useState } from 'react';
import type { SamePersonsJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery, type Query } from '../../api/hooks.js';
import type { ApiError } from '../../api/errors.js';
import type { Context } from '../../tenant/context.js';

export interface PairOfPersons {
  one: string;
  other: string;
}

/** The card on which a pair was declared: the focus stays there. */
type SaidIn = 'report' | 'callers';

export interface SamePairs {
  query: Query<readonly SamePersonsJson[]>;
  /** Changes with every pair that is added or removed; undefined until they are known. */
  key: string | undefined;
  /** Where the last one was declared. */
  saidIn: SaidIn | undefined;
  mark: (pair: PairOfPersons, saidIn: SaidIn) => void;
  unmark: (pair: PairOfPersons, saidIn: SaidIn) => void;
  error: ApiError | undefined;
}

const keyOf = (pairs: readonly SamePersonsJson[]): string =>
  pairs.map(({ gkPersonId, gkOtherPersonId }) => `${gkPersonId?.value}=${gkOtherPersonId?.value}`).join(' ');

export function useSamePairs({ gkScopeId }: Context): SamePairs {
  const context = { gkScopeId };
  const read = async (signal?: AbortSignal): Promise<readonly SamePersonsJson[]> =>
    (await call('ListSamePersons', { context }, signal)).pairs ?? [];
  const query = useQuery(`same persons ${gkScopeId.value}`, read);
  const [saidIn, setSaidIn] = useState<SaidIn>();
  const change = useAction(
    async (operation: 'MarkSamePerson' | 'UnmarkSamePerson', { one, other }: PairOfPersons, on: SaidIn) => {
      setSaidIn(on);
      await call(operation, { context, gkPersonId: { value: one }, gkOtherPersonId: { value: other } });
      query.setData(await read());
    },
  );
  return {
    query,
    key: query.data && keyOf(query.data),
    saidIn,
    mark: (pair, on) => void change.run('MarkSamePerson', pair, on),
    unmark: (pair, on) => void change.run('UnmarkSamePerson', pair, on),
    error: change.error,
  };
}
