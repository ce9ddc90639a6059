// Environment variables that look like settings but are not. They are reported but never refused: orchestrators set their own,
// and a name that an earlier version knew must not keep the server from starting.
import { nearestOf } from '../errors.js';

/** What Kubernetes says of services whose name begins like ours, and what belongs to our clients and to the tests. */
const foreignPatterns = [
  /_SERVICE_(?:HOST|PORT)(?:_|$)/,
  /^VOXGATE_(?:[A-Z0-9_]+_)?PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?$/,
  /^VOXGATE_(?:SERVER|TENANT|CLIENT_ID|CLIENT_SECRET|CONFIGSET|PROFILE)$/,
  /^VOXGATE_TEST_/,
] as const;

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
    const nearest = nearestOf(name, known, bare);
    return { name, ...(nearest !== undefined && { nearest }) };
  });
}

const bare = (name: string): string => name.replace('VOXGATE_', '').replaceAll('_', '');
