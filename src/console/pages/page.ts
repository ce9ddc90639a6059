// Describes a page of the console: its path, its name, and the chunk it is loaded from.
import type { ComponentType } from 'react';
import type { IconName } from '../kit/icons.js';
import type { Params } from '../router.js';
import type { Need } from '../tenant/needs.js';
import type { May } from '../tenant/rights.js';
import type { t } from '../text/shell.js';

export type NavGroup = keyof typeof t.frame.groups;
type PageName = keyof typeof t.frame.pages;

export interface PageProps {
  params: Params;
}

export interface PageEntry {
  /** Pattern below the tenant, such as `/applications/:applicationId`. */
  path: `/${string}`;
  /** What a user must be allowed to do to open it; alike for all pages with the same first part of the path. */
  needs: Need | 'everybody';
  load: () => Promise<ComponentType<PageProps>>;
  /** Absent for pages that are reached from others. With `nav`, `path` must have no parameters. */
  nav?: { group: NavGroup; name: PageName; icon: IconName };
  /** Path of the navigation entry to highlight for a page without `nav`. */
  under?: string;
  /** Shows one item of one tenant: changing the tenant leads to the list it is under. */
  ofTenant?: boolean;
}

export const mayOpen = ({ needs }: PageEntry, may: May): boolean => needs === 'everybody' || may(needs);
