// Variables of the environment that look like settings and are none. They are told of and never refused: orchestrators put their
// own there, and a name that an earlier version knew must not keep the server from starting.

/** What Kubernetes says of services whose name begins like ours, and what belongs to our clients and to the tests. */
const foreignPatterns = [
  /_SERVICE_(?:HOST|PORT)(?:_|$)/,
  /^VOXGATE_(?:[A-Z0-9_]+_)?PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?$/,
  /^VOXGATE_(?:SERVER|TENANT|CLIENT_ID|CLIENT_SECRET|CONFIGSET|PROFILE)$/,
  /^VOXGATE_TEST_/,
] as const;

/** Of longer names more letters may be wrong. */
const LETTERS_PER_MISTAKE = 5;

/** Each with the setting that was probably meant, where one is near. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): { name: string; nearest?: string }[] {
  const names = Object.keys(env).filter(
    (name) =>
      name.startsWith('VOXGATE_') &&
      !known.includes(name) &&
      !foreignPatterns.some((pattern) => pattern.test(name)),
  );
  return names.sort().map((name) => {
    const nearest = nearestOf(name, known);
    return { name, ...(nearest !== undefined && { nearest }) };
  });
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const bare = (text: string): string => text.replace('VOXGATE_', '').replaceAll('_', '');
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(bare(name).length / LETTERS_PER_MISTAKE)) + 1;
  for (const candidate of known) {
    const mistakes = mistakesBetween(bare(name), bare(candidate));
    if (mistakes < fewest) [nearest, fewest] = [candidate, mistakes];
  }
  return nearest;
}

/** How many letters are too many, missing or wrong. */
function mistakesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min(
          (row[j] as number) + (letter === other ? 0 : 1),
          (row[j + 1] as number) + 1,
          (next[j] as number) + 1,
        ),
      );
    row = next;
  }
  return row[b.length] as number;
}
