// An open session: whether anybody is listening to it now, and where to see it.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { fill } from '../../kit/fill.js';
import { Link } from '../../router.js';
import { useReadContext } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t as calls } from '../../text/calls.js';
import { t } from '../../text/sessions.js';

const EVERY_MS = 5000;

export function OpenState({ gkSessionId }: { gkSessionId: string | undefined }): ReactNode {
  const read = useReadContext();
  const mayList = useMay()('ListCalls');
  const { data } = useQuery(
    read && mayList ? `listened ${read.gkScopeId.value}` : undefined,
    (signal) => call('ListCalls', { gkScopeId: read?.gkScopeId }, signal),
    { everyMs: EVERY_MS },
  );
  const isRunning = data?.calls?.some((live) => live.gkSessionId?.value === gkSessionId);
  if (!isRunning) return t.session.open;
  return fill(calls.listenedTo, { calls: <Link to="/calls">{calls.title}</Link> });
}
