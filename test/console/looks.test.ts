// @module-tag slow
// The console as a whole: walks across its pages, every page while it loads and when it fails, in every look.
import { oneConsole } from './one-console.js';
import { accessibility } from './suites/accessibility.js';
import { everyRole } from './suites/roles.js';
import { states } from './suites/states.js';
import { fiveWalks } from './suites/walks.js';

// The walks last: they leave data behind, which is in nobody's language.
oneConsole('the console as a whole', [accessibility, states, everyRole, fiveWalks]);
