// @module-tag slow
// What people do in the console, page by page.
import { oneConsole } from './one-console.js';
import { account } from './suites/account.js';
import { analyst } from './suites/analyst.js';
import { batches } from './suites/batches.js';
import { docs } from './suites/docs.js';
import { engagement } from './suites/engagement.js';
import { falseAlarm } from './suites/false-alarm.js';
import { genuine } from './suites/genuine.js';
import { insight } from './suites/insight.js';
import { keyboard } from './suites/keyboard.js';
import { live } from './suites/live.js';
import { locks } from './suites/locks.js';
import { voiceSearch } from './suites/voice-search.js';
import { manage } from './suites/manage.js';
import { microphone } from './suites/microphone.js';
import { people } from './suites/people.js';
import { prompt } from './suites/prompt.js';
import { tenants } from './suites/tenants.js';
import { voice } from './suites/voice.js';
import { webhooks } from './suites/webhooks.js';
import { widget } from './suites/widget.js';

oneConsole('tasks in the console', [
  keyboard,
  manage,
  account,
  engagement,
  tenants,
  people,
  voice,
  prompt,
  locks,
  microphone,
  widget,
  webhooks,
  batches,
  live,
  insight,
  analyst,
  genuine,
  falseAlarm,
  voiceSearch,
  docs,
]);
