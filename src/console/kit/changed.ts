// Determines what a form has changed: only that is sent, so that nobody undoes somebody else's change.

/** Names of the members that differ, in field mask spelling; empty if none do. */
export const changedMask = <T extends object>(before: Readonly<Record<keyof T, unknown>>, after: T): string =>
  (Object.keys(after) as (keyof T & string)[])
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .join(',');
