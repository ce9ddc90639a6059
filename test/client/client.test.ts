// Everything that is built on the client library, from outside, on one installation.
import { afterAll, beforeAll, describe } from 'vitest';
import { Kit } from './kit.js';
import { batchesSuite } from './suites/batches.js';
import { commandsSuite } from './suites/commands.js';
import { librarySuite } from './suites/library.js';
import { packageSuite } from './suites/package.js';
import { pythonSuite } from './suites/python.js';

/** A voice engine starts, a package is built, programs run: what takes seconds may take minutes on a busy machine. */
const TIMEOUT_MS = 240_000;

let kit: Kit | undefined;
beforeAll(async () => {
  kit = await Kit.start();
}, TIMEOUT_MS);
afterAll(() => kit?.installation.stop());

/** The installation, as soon as there is one. */
const kitOf = (): Kit => kit as Kit;

describe('the client library', { timeout: TIMEOUT_MS }, () => librarySuite(kitOf));
describe('its package', { timeout: TIMEOUT_MS, tags: 'slow' }, () => packageSuite(kitOf));
describe('the commands for people', { timeout: TIMEOUT_MS }, () => commandsSuite(kitOf));
describe('batches', { timeout: TIMEOUT_MS }, () => batchesSuite(kitOf));
describe('the Python client', { timeout: TIMEOUT_MS, tags: 'slow' }, () => pythonSuite(kitOf));
