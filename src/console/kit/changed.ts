// What a form has changed: only that is sent, so that nobody takes back what somebody else has changed meanwhile.

/** Names of the members that differ, as a field mask has them; empty where nothing does. */
export const changedMask = <T extends object>(before: Readonly<Record<keyof T, unknown>>, after: T): string =>
  (Object.keys(after) as (keyof T & string)[])
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .join(',');
