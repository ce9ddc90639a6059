// Where things are found: places of the console by their names, and what the tenant and the account hold by asking the
// server for each kind at once.
import { call } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { folded, fullName } from '../format/text.js';
import { pages } from '../pages/registry.js';
import type { Context } from '../tenant/context.js';
import { t } from '../text/search.js';
import { t as shell } from '../text/shell.js';

export interface Found {
  /** What it is called, what it is, and what else helps to tell it from others. */
  label: string;
  kind: string;
  note?: string | undefined;
  to: string;
  /** Not a page of the console. */
  isOutside?: boolean;
}

const EACH = 5;

/** Pages, their tabs, and help; all of the pages when nothing is typed. */
export function findPlaces(typed: string, isAdmin: boolean): Found[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const places: Found[] = [
    ...pages.flatMap(({ path, nav }) =>
      nav && (!nav.adminOnly || isAdmin)
        ? [{ label: shell.frame.pages[nav.name], kind: t.kinds.page, to: path }]
        : [],
    ),
    ...(words.length === 0
      ? []
      : [
          ...t.places.map(([label, to]) => ({ label, kind: t.kinds.page, to })),
          { label: shell.frame.apiReference, kind: t.kinds.help, to: '/docs', isOutside: true },
        ]),
  ];
  return places.filter(({ label }) => words.every((word) => folded(label).includes(word)));
}

/** What a role may not see is not there; anything else that fails is told. */
async function ifAllowed(pending: Promise<Found[]>): Promise<Found[]> {
  try {
    return await pending;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.httpStatus === 403) return [];
    throw thrown;
  }
}

export async function findThings(
  context: Context | undefined,
  query: string,
  signal: AbortSignal,
): Promise<Found[]> {
  const applications = findApplications(query, signal);
  const kinds = context
    ? [
        findPeople(context, query, signal),
        findFraudsters(context, query, signal),
        findSessions(context, query, signal),
        findLists(context, query, signal),
        applications,
      ]
    : [applications];
  return (await Promise.all(kinds.map(ifAllowed))).flat();
}

async function findPeople(context: Context, query: string, signal: AbortSignal): Promise<Found[]> {
  const { persons = [] } = await call('ListPersons', { context, query, pageSize: EACH }, signal);
  return persons.map(({ details }) => ({
    label: details?.personId ?? '',
    kind: t.kinds.person,
    note: fullName(details),
    to: `/people/persons/${details?.gkPersonId?.value ?? ''}`,
  }));
}

async function findFraudsters(context: Context, query: string, signal: AbortSignal): Promise<Found[]> {
  const { fraudsters = [] } = await call('ListFraudsters', { context, query, pageSize: EACH }, signal);
  return fraudsters.map(({ details }) => ({
    label: details?.fraudsterId ?? '',
    kind: t.kinds.fraudster,
    note: fullName(details),
    to: `/people/fraudsters/${details?.gkFraudsterId?.value ?? ''}`,
  }));
}

async function findSessions(context: Context, query: string, signal: AbortSignal): Promise<Found[]> {
  const { sessions = [] } = await call('ListSessions', { context, query, pageSize: EACH }, signal);
  return sessions.map(({ details, claimedPersonId, caseNumber }) => ({
    label: details?.sessionId || (details?.gkSessionId?.value ?? ''),
    kind: t.kinds.session,
    note: [caseNumber, claimedPersonId, details?.ani].filter(Boolean).join(', '),
    to: `/sessions/${details?.gkSessionId?.value ?? ''}`,
  }));
}

async function findLists(context: Context, query: string, signal: AbortSignal): Promise<Found[]> {
  const request = { context, query, pageSize: EACH };
  const [{ groups = [] }, { watchlists = [] }] = await Promise.all([
    call('ListGroups', request, signal),
    call('ListWatchlists', request, signal),
  ]);
  return [
    ...groups.map(({ details }) => ({
      label: details?.groupId ?? '',
      kind: t.kinds.group,
      to: `/people/groups/${details?.gkGroupId?.value ?? ''}`,
    })),
    ...watchlists.map(({ details }) => ({
      label: details?.watchlistId ?? '',
      kind: t.kinds.watchlist,
      to: `/people/watchlists/${details?.gkWatchlistId?.value ?? ''}`,
    })),
  ];
}

async function findApplications(query: string, signal: AbortSignal): Promise<Found[]> {
  const { applications = [] } = await call('ListApplications', { query, pageSize: EACH }, signal);
  return applications.map(({ applicationId = '', name = '' }) => ({
    label: name,
    kind: t.kinds.application,
    to: `/applications/${applicationId}`,
  }));
}
