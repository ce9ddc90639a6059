// Every page of the console: path, place in the navigation, and the chunk it is loaded from.
import type { ComponentType } from 'react';
import type { IconName } from '../kit/icons.js';
import type { Params } from '../router.js';
import { biometricPages } from './biometric-pages.js';
import { managePages } from './manage-pages.js';

export type NavGroup = 'Try' | 'Understand' | 'Build' | 'Operate' | 'Account';

export interface PageProps {
  params: Params;
}

export interface PageEntry {
  /** Pattern below /console, such as `/applications/:applicationId`. */
  path: string;
  load: () => Promise<ComponentType<PageProps>>;
  /** Absent for pages that are reached from others. `path` must then be free of parameters. */
  nav?: { group: NavGroup; label: string; icon: IconName; adminOnly?: boolean };
  /** Path of the navigation entry to light up for a page without `nav`. */
  under?: string;
}

export const navGroups: readonly NavGroup[] = ['Try', 'Understand', 'Build', 'Operate', 'Account'];

export const pages: readonly PageEntry[] = [
  { path: '/', load: async () => (await import('./home.js')).HomePage },
  ...biometricPages,
  ...managePages,
];
