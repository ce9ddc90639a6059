// What a transaction does last, always in the same order: assess sessions, record changed prints, then write the audit trail. The
// last two lock a row that a whole tenant shares; if such rows were locked earlier, or in another order, two transactions could
// wait for each other.
import type { Transaction } from 'kysely';
import type { Schema } from './schema.js';

type Tx = Transaction<Schema>;

const order = ['ASSESSMENT', 'PRINT_STAMP', 'AUDIT_HEAD'] as const;

interface LastStep {
  lock: (typeof order)[number];
  /** Identifies the locked row. */
  key: string;
  work(): Promise<void>;
}

const stepsOf = new WeakMap<object, LastStep[]>();

/** Returns the list of last steps; rolling back a part of the transaction truncates it again. */
export function collectLastSteps(tx: Tx): LastStep[] {
  const steps: LastStep[] = [];
  stepsOf.set(tx, steps);
  return steps;
}

/** Defers the step to the end of the transaction; outside one it runs at once. */
export async function doLast(db: object, step: LastStep): Promise<void> {
  const steps = stepsOf.get(db);
  if (steps) steps.push(step);
  else await step.work();
}

export async function runLastSteps(steps: LastStep[]): Promise<void> {
  const sorted = steps
    .splice(0)
    .sort((a, b) => order.indexOf(a.lock) - order.indexOf(b.lock) || compare(a.key, b.key));
  for (const { work } of sorted) await work();
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
