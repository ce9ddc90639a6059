// Requests that offer to go on in another protocol than WebSocket, as Java's HTTP client does with every request over plain
// HTTP (h2c). A server may decline by answering as if nothing had been offered; Node's can only hand the whole connection over,
// so the request goes back in without the offer.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

const offerPattern = /^(?:upgrade|http2-settings)$/i;

export const wantsWebSocket = ({ headers }: IncomingMessage): boolean =>
  /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? '');

export function serveAsHttp(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(withoutOffer(request), 'latin1'), head]));
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}

/** The request's head as it came, but for the offer. */
function withoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    if (offerPattern.test(name)) continue;
    const kept = /^connection$/i.test(name) ? connectionWithoutOffer(value) : value;
    if (kept !== undefined) lines.push(`${name}: ${kept}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function connectionWithoutOffer(value: string): string | undefined {
  const kept = value.split(',').filter((option) => !offerPattern.test(option.trim()));
  return kept.length === 0 ? undefined : kept.join(',');
}
