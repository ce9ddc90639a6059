// English: the texts that most pages need.
import { text as assessment } from '../../../words/english.js';
import { text as checks } from './checks.js';
import { text as sessions } from './sessions.js';
import { text as calls } from './calls.js';
import { text as operations } from './operations.js';
import { text as people } from './people.js';
import { text as records } from './records.js';
import { text as voice } from './voice.js';
import { text as tenants } from './tenants.js';
import { text as home } from './home.js';
import { text as privacy } from './privacy.js';
import { text as voiceSearch } from './voice-search.js';

export const text = {
  assessment,
  checks,
  sessions,
  calls,
  operations,
  people,
  records,
  voice,
  tenants,
  home,
  privacy,
  voiceSearch,
};
