// Hand-written labels differ in case: `en` and `EN` are one group, under the spelling that comes first.
// `en-US` is a different one.

/** For the labels of one kind, in order. */
export function oneSpelling(): (label: string) => string {
  const known = new Map<string, string>();
  return (label) => {
    const key = label.toLowerCase();
    const first = known.get(key) ?? label;
    known.set(key, first);
    return first;
  };
}
