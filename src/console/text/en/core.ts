// English: the texts of what is shown first, and of most pages.
import { text as assessment } from '../../../words/english.js';
import { text as shell } from './shell.js';
import { text as checks } from './checks.js';
import { text as sessions } from './sessions.js';
import { text as calls } from './calls.js';
import { text as operations } from './operations.js';
import { text as tenants } from './tenants.js';
import { text as home } from './home.js';

export const text = {
  assessment,
  shell,
  checks,
  sessions,
  calls,
  operations,
  tenants,
  home,
};
