// The sources of the search: places in the console by name, and the contents of the tenant and the account,
// for which the server is asked for all kinds at once.
import { call } from '../api/client.js';
import { signOut } from '../api/session.js';
import { folded, fullName, relativeTime, shortId } from '../format/text.js';
import { helpFor } from '../help/find-help.js';
import type { useTheme } from '../kit/theme.js';
import { mayOpen } from '../pages/page.js';
import { pages } from '../pages/registry.js';
import type { Context } from '../tenant/context.js';
import type { Need } from '../tenant/needs.js';
import type { May } from '../tenant/rights.js';
import { t } from '../text/search.js';
import { t as shell } from '../text/shell.js';
import { actionsFor, actionsIn, type Action } from './search-actions.js';

export interface Found {
  /** Its name, its kind, and what else helps to tell it from others. */
  label: string;
  kind: string;
  note?: string | undefined;
  to: string;
  /** Not a page of the console. */
  isOutside?: boolean;
  /** Runs in place, instead of going anywhere. */
  run?: () => void;
}

const EACH = 5;

/** Tabs and parts of pages that need more rights than their page. */
const partNeeds: Readonly<Record<string, Need>> = {
  '/sessions?tab=audit': 'ListAuditRecords',
  '/sessions?tab=system': 'overview',
  '/system': 'administrator',
};

function mayGoTo(to: string, may: May): boolean {
  const part = partNeeds[to];
  const page = pages.find(({ path }) => path === to.split('?')[0]);
  return page !== undefined && mayOpen(page, may) && (part === undefined || may(part));
}

/** Pages, their tabs, and help; all pages if nothing is typed. */
export function findPlaces(typed: string, may: May): Found[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const places: (Found & { also?: string | undefined })[] = [
    ...pages.flatMap((page) =>
      page.nav && mayOpen(page, may)
        ? [{ label: shell.frame.pages[page.nav.name], kind: t.kinds.page, to: page.path }]
        : [],
    ),
    ...(words.length === 0
      ? []
      : [
          ...t.places
            .filter(([, to]) => mayGoTo(to, may))
            .map(([label, to, also]) => ({ label, kind: t.kinds.page, to, also })),
          { label: shell.frame.help, kind: t.kinds.help, to: '/help' },
          { label: shell.frame.apiReference, kind: t.kinds.help, to: '/docs', isOutside: true },
        ]),
  ];
  return places
    .filter(({ label, also = '' }) => words.every((word) => folded(`${label} ${also}`).includes(word)))
    .map(({ also: _also, ...place }) => place);
}

const ACTIONS_MAX = 8;

/** Tabs, dialogs and buttons by their own words. */
export const findActions = (typed: string, may: May): Found[] =>
  actionsFor(typed, actionsIn())
    .filter(([, to]) => mayGoTo(to, may))
    .slice(0, ACTIONS_MAX)
    .map(([label, to]) => ({ label, kind: t.kinds.action, note: pageNameOf(to), to }));

/** Buttons of the frame, which belong to no page. */
export function findCommands(typed: string, { theme, toggle }: ReturnType<typeof useTheme>): Found[] {
  const { lightTheme, darkTheme, signOut: signOutLabel } = shell.frame;
  const commands: readonly (readonly [run: () => void, ...Action])[] = [
    [toggle, theme === 'dark' ? lightTheme : darkTheme, '', t.also.theme],
    [() => void signOut(), signOutLabel, '', t.also.signOut],
  ];
  return commands
    .filter(([, ...action]) => actionsFor(typed, [action]).length > 0)
    .map(([run, label, to]) => ({ label, kind: t.kinds.action, to, run }));
}

function pageNameOf(to: string): string | undefined {
  const nav = pages.find(({ path }) => path === to.split('?')[0])?.nav;
  return nav && shell.frame.pages[nav.name];
}

/** Meanings of terms, settings, and places in the guides. */
async function findHelp(query: string): Promise<Found[]> {
  const { helpEntries } = await import('../help/texts.js');
  return helpFor(query, helpEntries()).map((entry) => ({ ...entry, kind: t.kinds.help }));
}

export async function findThings(
  context: Context | undefined,
  query: string,
  may: May,
  signal: AbortSignal,
): Promise<Found[]> {
  const applications = findApplications(query, signal);
  const help = findHelp(query);
  const sites = may('agents') ? findSites(query, signal) : Promise.resolve([]);
  // All of these are for everybody who may read in the tenant.
  const kinds =
    context && may('ListPersons')
      ? [
          findPeople(context, query, signal),
          findFraudsters(context, query, signal),
          findSessions(context, query, signal),
          findLists(context, query, signal),
          sites,
          applications,
          help,
        ]
      : [sites, applications, help];
  return (await Promise.all(kinds)).flat();
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
  return sessions.map(({ details, assessment, caseNumber }) => ({
    label: details?.sessionId || shortId(details?.gkSessionId?.value),
    kind: t.kinds.session,
    note: [caseNumber, assessment?.whoCalled?.[0]?.id, details?.ani, relativeTime(details?.creationTimestamp)]
      .filter(Boolean)
      .join(', '),
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

/** There are few of them, and the server cannot search them. */
async function findSites(query: string, signal: AbortSignal): Promise<Found[]> {
  const { sites = [] } = await call('ListSites', {}, signal);
  const sought = folded(query);
  return sites
    .filter(({ siteId = '', name = '' }) => folded(`${name} ${siteId}`).includes(sought))
    .slice(0, EACH)
    .map(({ siteId = '', name = '' }) => ({
      label: name || siteId,
      kind: t.kinds.site,
      note: name ? siteId : '',
      to: `/engagement/sites/${encodeURIComponent(siteId)}`,
    }));
}
