// Who is at the other end of a connection: the caller's address, and the certificate that they showed. What a proxy says about
// them counts only where the proxy is trusted; what callers write into such headers themselves never does.
import { X509Certificate } from 'node:crypto';
import { BlockList, isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

interface PeerOptions {
  /** Whose X-Forwarded-For counts: hops, addresses and networks, or nobody's. */
  trustedProxies: number | readonly string[] | false;
  /** Callers are asked for a certificate. */
  clientCertificates: boolean;
  /** In which trusted proxies hand on the caller's certificate, in lower case; empty: in none. */
  certificateHeader: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export class Peers {
  readonly #options: PeerOptions;
  readonly #trusted: BlockList;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#trusted = new BlockList();
    for (const proxy of Array.isArray(options.trustedProxies) ? (options.trustedProxies as string[]) : []) {
      const [address = '', bits] = proxy.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /** Read from the right, past trusted proxies only. */
  addressOf(socket: Pick<Socket, 'remoteAddress'>, headers: Headers): string {
    const direct = socket.remoteAddress ?? '';
    const forwarded = textOf(headers['x-forwarded-for']);
    if (forwarded === undefined) return direct;
    const chain = forwarded.split(',').map((each) => each.trim());
    let address = direct;
    for (let hop = 0; chain.length > 0 && this.#isTrusted(address, hop); hop++)
      address = withoutPort(chain.pop() ?? '');
    return isIP(address) === 0 ? direct : address;
  }

  /** The certificate of the caller, whose private key they have proven to hold. */
  certificateOf(socket: Pick<Socket, 'remoteAddress'>, headers: Headers): X509Certificate | undefined {
    const { clientCertificates, certificateHeader } = this.#options;
    if (certificateHeader !== '' && this.#isTrusted(socket.remoteAddress ?? '', 0)) {
      const text = textOf(headers[certificateHeader]);
      return text === undefined || text === '' ? undefined : readCertificate(text);
    }
    if (!clientCertificates || !(socket instanceof TLSSocket)) return undefined;
    return socket.getPeerX509Certificate();
  }

  #isTrusted(address: string, hop: number): boolean {
    const { trustedProxies } = this.#options;
    if (typeof trustedProxies === 'number') return hop < trustedProxies;
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Some proxies write the port, too: `192.0.2.1:4711`, `[2001:db8::1]:99`. */
function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry;
}

const CERTIFICATE_LENGTH_MAX = 16 * 1024;

/** RFC 9440 (`:base64 of DER:`), or PEM with percent escapes, as nginx and Envoy write it. */
function readCertificate(text: string): X509Certificate | undefined {
  if (text.length > CERTIFICATE_LENGTH_MAX) return undefined;
  try {
    const field = /^:([A-Za-z0-9+/=]+):$/.exec(text)?.[1];
    return new X509Certificate(field ? Buffer.from(field, 'base64') : decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
