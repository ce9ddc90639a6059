// Describes a page of the console: its path, its name, and the chunk it is loaded from.
import type { ComponentType } from 'react';
import type { IconName } from '../kit/icons.js';
import type { Params } from '../router.js';
import { pageNeeds, type Need, type PageArea } from '../tenant/needs.js';
import type { May } from '../tenant/rights.js';
import type { t } from '../text/shell.js';

export type NavGroup = keyof typeof t.frame.groups;
type PageName = keyof typeof t.frame.pages;

export interface PageProps {
  params: Params;
}

export interface PageEntry {
  /** Pattern below the tenant, such as `/applications/:applicationId`. */
  path: `/${PageArea}` | `/${Exclude<PageArea, ''>}/${string}`;
  load: () => Promise<ComponentType<PageProps>>;
  /** Absent for pages that are reached from others. With `nav`, `path` must have no parameters. */
  nav?: { group: NavGroup; name: PageName; icon: IconName };
  /** Path of the navigation entry to highlight for a page without `nav`. */
  under?: string;
  /** Shows one item of one tenant: changing the tenant leads to the list it is under. */
  ofTenant?: boolean;
}

/** What a user needs to be allowed to open the page. */
export const needOf = ({ path }: PageEntry): Need | 'everybody' => pageNeeds[path.split('/')[1] as PageArea];

export function mayOpen(page: PageEntry, may: May): boolean {
  const need = needOf(page);
  return need === 'everybody' || may(need);
}
