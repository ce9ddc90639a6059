// The program and the console as users run them: built, and never from older sources than those under test.
// @ts-expect-error -- a script of the repository, without types
import { build } from '../../scripts/setup.mjs';
import { onceInRun } from './once-in-run.js';

/** `npm test` has built both; a single file after a change has not. */
export async function builtProgram(): Promise<void> {
  const outcome = await onceInRun('build', build as () => Promise<void>);
  if ('fault' in outcome) throw new Error(`the build failed: ${outcome.fault}`);
}
