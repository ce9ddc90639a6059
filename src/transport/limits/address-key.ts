// How addresses of callers are told apart for limits: an IPv4 address by itself, an IPv6 address by its /64, because
// whoever has one address of such a network has all 2^64 of them.
import { isIPv6 } from 'node:net';

const mappedPattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const NETWORK_GROUPS = 4;

export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.split('%')[0] ?? address;
  const mapped = mappedPattern.exec(bare);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(bare)) return bare;
  return `${groupsOf(bare).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** All eight groups, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...new Array<string>(missing).fill('0'), ...right].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  );
}
