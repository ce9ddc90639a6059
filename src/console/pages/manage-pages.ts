// Pages about credentials and people who manage: applications, engagement clients, profile, users.
import type { PageEntry } from './registry.js';

export const managePages: readonly PageEntry[] = [];
