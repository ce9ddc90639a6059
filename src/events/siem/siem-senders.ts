// How lines reach a SIEM: as JSON lines by HTTPS, or as syslog over TCP or TLS (RFC 5425 and 6587 framing). A sender either
// has delivered a batch or throws; it never waits longer than its limit.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { syslogMessage, type SiemEntry } from './siem-line.js';

export interface SiemSender {
  send(entries: readonly SiemEntry[]): Promise<void>;
  close(): void;
}

interface SiemTarget {
  /** https://..., http://..., syslog+tls://host:port or syslog+tcp://host:port */
  url: string;
  /** Sent as a bearer token with HTTPS. */
  token: string;
  /** PEM of the authorities that a certificate of syslog+tls may come from; those of the system when absent. */
  authorities?: string | undefined;
}

const TIMEOUT_MS = 10_000;
const SYSLOG_TLS_PORT = 6514;
const SYSLOG_TCP_PORT = 601;

export function siemSender(target: SiemTarget): SiemSender {
  return target.url.startsWith('syslog') ? syslogSender(target) : httpSender(target);
}

function httpSender({ url, token }: SiemTarget): SiemSender {
  return {
    async send(entries) {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: {
          'content-type': 'application/x-ndjson',
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        },
        body: entries.map(({ json }) => `${json}\n`).join(''),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the SIEM answered ${answer.status}`);
    },
    close: () => {},
  };
}

function syslogSender(target: SiemTarget): SiemSender {
  const host = hostname().replace(/[^\x21-\x7e]/g, '-') || '-';
  let socket: Socket | undefined;
  const drop = (): void => {
    socket?.destroy();
    socket = undefined;
  };
  return {
    async send(entries) {
      socket ??= await open(target);
      const frames = entries.map((entry) => {
        const message = syslogMessage(entry, host);
        return `${Buffer.byteLength(message)} ${message}`;
      });
      try {
        await write(socket, frames.join(''));
      } catch (cause) {
        // A broken connection is never used again: nobody knows where in a frame it broke.
        drop();
        throw cause;
      }
    },
    close: drop,
  };
}

function open({ url: address, authorities }: SiemTarget): Promise<Socket> {
  const url = new URL(address);
  const secure = url.protocol === 'syslog+tls:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (secure ? SYSLOG_TLS_PORT : SYSLOG_TCP_PORT) : Number(url.port);
  return new Promise((resolve, reject) => {
    const trust = authorities === undefined ? {} : { ca: authorities };
    const socket = secure
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...trust })
      : connectPlain({ host, port });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the SIEM does not answer')));
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0);
      // The other end only ever closes; without a reader that would go unnoticed.
      socket.resume();
      resolve(socket);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the SIEM closed the connection')));
  });
}

function write(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return void reject(new Error('the SIEM closed the connection'));
    const timer = setTimeout(() => reject(new Error('the SIEM does not accept what is sent')), TIMEOUT_MS);
    socket.write(text, (error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    });
  });
}
