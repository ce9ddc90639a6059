// Every page of the console, in the order of the navigation.
import { biometricPages } from './biometric-pages.js';
import { managePages } from './manage-pages.js';
import type { NavGroup, PageEntry } from './page.js';

export const navGroups: readonly NavGroup[] = ['try', 'understand', 'build', 'operate', 'account'];

export const pages: readonly PageEntry[] = [
  { path: '/', load: async () => (await import('./home/home.js')).HomePage },
  ...biometricPages,
  ...managePages,
];
