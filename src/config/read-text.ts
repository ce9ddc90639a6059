// Settings that are text and mean more: lists with commas, addresses, proxies.
import { parseAddress, type HostPort } from './kinds.js';

/** As the HTTP server takes them: a number of hops, a list, or none at all. */
export function trustedProxiesOf(text: string): number | string[] | false {
  if (/^\d{1,2}$/.test(text.trim())) return Number(text);
  const list = listed(text);
  return list.length === 0 ? false : list;
}

export function packageRootsOf(text: string): string[] {
  return [...new Set(listed(text))];
}

/** What stands between the commas. */
export function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Undefined for what is no HOST:PORT. */
export function hostPortOf(text: string): HostPort | undefined {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}
