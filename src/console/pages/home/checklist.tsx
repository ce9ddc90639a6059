// What is left to do in the first week, ticked automatically; disappears when all is done or the user
// dismisses it.
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Badge, Card } from '../../kit/layout.js';
import { Link } from '../../router.js';
import type { Context } from '../../tenant/context.js';
import type { Need } from '../../tenant/needs.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/home.js';

const text = t.checklist;
const HIDDEN_KEY = 'voxgate.checklist.hidden';
const APPLICATIONS_ASKED_MAX = 10;

type StepName = keyof typeof text.steps;
const steps: readonly { name: StepName; to: string; needs?: Need }[] = [
  { name: 'voice', to: '/voice', needs: 'Enroll' },
  { name: 'application', to: '/applications' },
  { name: 'watchlist', to: '/people?tab=watchlists', needs: 'CreateWatchlist' },
  { name: 'thresholds', to: '/accuracy', needs: 'EvaluateScores' },
  { name: 'colleague', to: '/users', needs: 'administrator' },
];

/** Undefined if the role cannot see it. */
type Done = boolean | undefined;

async function has(pending: Promise<Done>): Promise<Done> {
  try {
    return await pending;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.httpStatus === 403) return undefined;
    throw thrown;
  }
}

/** "Connected" means that a program of an application has fetched a token, not that an application exists. */
async function hasConnected(isAdmin: boolean, signal: AbortSignal): Promise<Done> {
  const { applications = [] } = await call('ListApplications', { pageSize: APPLICATIONS_ASKED_MAX }, signal);
  // A user who sees only their own applications cannot know about others.
  if (applications.length === 0 && !isAdmin) return undefined;
  const environments = applications
    .flatMap(({ environments: own = [] }) => own)
    .filter(({ clientCount }) => clientCount);
  const lists = await Promise.all(
    environments
      .slice(0, APPLICATIONS_ASKED_MAX)
      .map(({ appId }) => call('ListClients', { appId }, signal).then(({ clients = [] }) => clients)),
  );
  return lists.flat().some(({ lastUsedTimestamp }) => lastUsedTimestamp);
}

/** Somebody who was verified must have been enrolled before. */
async function hasVerified(context: Pick<Context, 'gkScopeId'>, signal: AbortSignal): Promise<Done> {
  const { sessions = [] } = await call(
    'ListSessions',
    { context, decision: ['DECISION_AUTHENTIC'], pageSize: 1 },
    signal,
  );
  return sessions.length > 0;
}

async function readDone(
  read: Context,
  isAdmin: boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<StepName, Done>> {
  const context = { gkScopeId: read.gkScopeId };
  const filter = { configsetId: read.configsetId };
  const checks: Record<StepName, Promise<Done>> = {
    voice: hasVerified(context, signal),
    application: hasConnected(isAdmin, signal),
    watchlist: call('ListWatchlists', { context, pageSize: 1 }, signal).then(
      ({ watchlists = [] }) => watchlists.length > 0,
    ),
    // The first revision came with the tenant.
    thresholds: call('ListConfigsetRevisions', { context, filter }, signal).then(
      ({ details = [] }) => details.length > 1,
    ),
    colleague: isAdmin
      ? call('ListUsers', { pageSize: 2 }, signal).then(({ users = [] }) => users.length > 1)
      : Promise.resolve(undefined),
  };
  const done = Object.entries(checks).map(
    async ([name, check]) => [name as StepName, await has(check)] as const,
  );
  return new Map(await Promise.all(done));
}

export function Checklist({ read }: { read: Context }): ReactNode {
  const may = useMay();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN_KEY) === 'yes');
  const done = useQuery(isHidden ? undefined : `checklist ${read.gkScopeId.value}`, (signal) =>
    readDone(read, may('administrator'), signal),
  ).data;
  if (isHidden || !done) return null;
  // A step whose state the role cannot see is not shown as open: everybody who sees a step sees the same.
  const own = steps.filter(({ name, needs }) => (!needs || may(needs)) && done.get(name) !== undefined);
  if (own.every(({ name }) => done.get(name))) return null;
  return (
    <Card
      title={text.title}
      hint={text.progress(own.filter(({ name }) => done.get(name)).length, own.length)}
      actions={
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            localStorage.setItem(HIDDEN_KEY, 'yes');
            setHidden(true);
          }}
        >
          {text.hide}
        </Button>
      }
    >
      <ul className="checklist">
        {own.map(({ name, to }) => (
          <li key={name}>
            <Badge tone={done.get(name) ? 'good' : 'neutral'}>{done.get(name) ? text.done : text.open}</Badge>
            <Link to={to}>{text.steps[name]}</Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
