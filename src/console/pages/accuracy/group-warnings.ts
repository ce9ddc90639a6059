// What the server says of one group, parted from the group's name: the name is written as the table writes it.

interface AboutGroup {
  name: string;
  /** Colon and all. */
  said: string;
}

/** Undefined where it is about no single group. */
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
