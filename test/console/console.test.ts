// The console in short: from the first start to a verified voice, and in and out again. tasks.test.ts has what people do on each page.
import { oneConsole } from './one-console.js';
import { firstRun, signIn } from './suites/sign-in.js';

oneConsole('the console', [firstRun, signIn]);
