// Which addresses a webhook may be sent to. Whoever may make a webhook must not reach through this server what only the server
// can reach, so private addresses are refused unless the operator allows them: when the webhook is made, as far as its URL shows
// it, and at every connection, when the name has been resolved.
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { FieldFault } from '../../errors.js';
import { say, type Said } from '../../words/server/say.js';

interface AddressRules {
  /** Addresses and networks that are not public and may be reached all the same. */
  privateNetworks: readonly string[];
  plainHttp: boolean;
}

const URL_LENGTH_MAX = 2000;
export const PRIVATE_ADDRESS_FAULT = 'the address is inside a private network';

const notPublicV4 = blockListOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** Outside of this are loopback, link-local, unique local, multicast, and the forms that carry an IPv4 address. */
const globalV6 = blockListOf(['2000::/3']);
/** Tunnels that carry an IPv4 address (Teredo, 6to4), benchmarks, documentation. */
const notPublicV6 = blockListOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export class Addresses {
  readonly #rules: AddressRules;
  readonly #allowed: BlockList;

  constructor(rules: AddressRules) {
    this.#rules = rules;
    this.#allowed = blockListOf(rules.privateNetworks);
  }

  mayReach(address: string): boolean {
    switch (isIP(address)) {
      case 4:
        return !notPublicV4.check(address, 'ipv4') || this.#allowed.check(address, 'ipv4');
      case 6:
        return (
          (globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')) ||
          this.#allowed.check(address, 'ipv6')
        );
      default:
        return false;
    }
  }

  /** What is wrong with a webhook's URL as far as it shows. */
  urlFault(text: string): FieldFault | undefined {
    const fault = (said: Said): FieldFault => ({ field: 'url', violation: 'INVALID_FORMAT', ...said });
    if (text.length > URL_LENGTH_MAX)
      return {
        field: 'url',
        violation: 'TOO_LONG',
        ...say('TOO_MANY_CHARACTERS', { max: URL_LENGTH_MAX }),
      };
    if (!URL.canParse(text) || /\s/.test(text)) return fault(say('NOT_A_URL'));
    const url = new URL(text);
    const { plainHttp } = this.#rules;
    // As it is written: a parser also takes https:name for a URL.
    if (!(plainHttp ? /^https?:\/\//i : /^https:\/\//i).test(text))
      return fault(plainHttp ? say('NOT_HTTP') : say('NOT_HTTPS'));
    if (url.username !== '' || url.password !== '') return fault(say('HAS_CREDENTIALS'));
    const host = hostOf(url);
    if (isIP(host) ? !this.mayReach(host) : this.#isInsideByName(host))
      return fault(say('IN_PRIVATE_NETWORK'));
    return undefined;
  }

  /** Names that mean this machine or this network everywhere; what others mean is seen when they are resolved. */
  #isInsideByName(host: string): boolean {
    return (
      this.#rules.privateNetworks.length === 0 &&
      /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host)
    );
  }

  /** For a connection: only addresses that may be reached, so that no answer of a name server can lead elsewhere. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const open = error ? [] : found.filter(({ address }) => this.mayReach(address));
      const [first] = open;
      if (error || !first) callback(error ?? new Error(PRIVATE_ADDRESS_FAULT), '', 0);
      else if (options.all) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };
}

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
