// Separates the server's warning about one group from the group's name, which is then written as in the
// table.

interface AboutGroup {
  name: string;
  /** Including the colon. */
  said: string;
}

/** Undefined if it is not about a single group. */
export function aboutGroup(
  warning: string,
  groups: readonly string[],
  nameOf: (group: string) => string,
): AboutGroup | undefined {
  const [group] = groups
    .filter((one) => warning.startsWith(`${one}: only `))
    .sort((one, other) => other.length - one.length);
  return group === undefined ? undefined : { name: nameOf(group), said: warning.slice(group.length) };
}
