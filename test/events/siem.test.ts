// The export to a SIEM: JSON lines by HTTP and syslog by TCP and TLS, in order, again after the SIEM was away, and never twice.
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createTcp, type AddressInfo } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigError, configWith, loadConfig } from '../../src/config.js';
import { SiemExport, type SiemPlace } from '../../src/events/siem/siem-export.js';
import { siemSender } from '../../src/events/siem/siem-senders.js';
import type { EventType, StoredEvent } from '../../src/events/model.js';
import type { ChainedRecord } from '../../src/audit/ports.js';
import { silentLog } from '../../src/platform.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const event = (seq: number, outcome = 'OK', type: EventType = 'token.issued'): StoredEvent => ({
  seq,
  type,
  atMs: 1000 + seq,
  appId: 'app',
  clientId: 'client',
  outcome,
  attributes: { address: '192.0.2.1' },
});

const record = (seq: number) =>
  ({
    hash: `hash${seq}`,
    record: {
      chain: 'system',
      seq,
      atMs: 1000 + seq,
      operation: 'client.create',
      actor: { subject: 'anna', issuer: 'x' },
      context: {},
      detail: { target: { type: 'client', id: 'c' } },
    },
  }) as unknown as ChainedRecord;

function exporter(url: string, events: StoredEvent[], records: ChainedRecord[], file = '') {
  let place: SiemPlace = { eventSeq: 0, auditSeq: 0 };
  const { siem } = configWith({ 'siem.url': url, 'siem.token': 'siem-token', 'siem.authorities': file });
  const authorities = siem.authorities === '' ? undefined : readFileSync(siem.authorities, 'utf8');
  const sender = siemSender({ ...siem, authorities });
  closing.push(() => sender.close());
  return new SiemExport({
    events: {
      read: async ({ afterSeq, types, limit }) =>
        events.filter(({ seq, type }) => seq > afterSeq && types?.includes(type)).slice(0, limit),
    },
    audit: {
      readChained: async (_chain, afterSeq, limit) =>
        records.filter(({ record: { seq } }) => seq > afterSeq).slice(0, limit),
    },
    flush: async () => {},
    chain: 'system',
    sender,
    log: silentLog,
    withLease: (work) => work().then(() => true),
    place: {
      read: async () => place,
      write: async (next) => void (place = next),
    },
  });
}

async function httpSiem(): Promise<{
  url: string;
  lines: string[];
  headers: string[];
  away(is: boolean): void;
}> {
  const lines: string[] = [];
  const headers: string[] = [];
  let isAway = false;
  const server: Server = createHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push(`${request.headers.authorization} ${request.headers['content-type']}`);
      if (!isAway) lines.push(...Buffer.concat(chunks).toString().trim().split('\n'));
      response.writeHead(isAway ? 503 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/in`, lines, headers, away: (is) => void (isAway = is) };
}

describe('by HTTPS', () => {
  it('sends JSON lines with the token, each once, and leaves single calls out', async () => {
    const siem = await httpSiem();
    const events = [event(1), event(2, 'OK', 'call'), event(3, 'invalid_client', 'token.refused')];
    const siemExport = exporter(siem.url, events, [record(2)]);
    await siemExport.run();
    await siemExport.run();
    const sent = siem.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(sent.map(({ id }) => id)).toEqual(['event-1', 'audit-system-2', 'event-3']);
    expect(sent[2]).toMatchObject({
      product: 'voxgate',
      type: 'token.refused',
      outcome: 'invalid_client',
      client_id: 'client',
      address: '192.0.2.1',
      time: '1970-01-01T00:00:01.003Z',
    });
    expect(sent[1]).toMatchObject({ kind: 'audit', type: 'client.create', actor: 'anna', hash: 'hash2' });
    expect(siem.headers).toEqual(['Bearer siem-token application/x-ndjson']);
  });

  it('goes on where it stopped when the SIEM comes back, however much has come together', async () => {
    const siem = await httpSiem();
    const events = [event(1)];
    const siemExport = exporter(siem.url, events, []);
    siem.away(true);
    await siemExport.run();
    await siemExport.run();
    expect(siemExport.failures).toBe(2);
    for (let seq = 2; seq <= 1300; seq++) events.push(event(seq));
    siem.away(false);
    await siemExport.run();
    expect(siemExport.failures).toBe(0);
    const ids = siem.lines.map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(events.map(({ seq }) => `event-${seq}`));
  });
});

describe('by syslog', () => {
  it('sends RFC 5424 messages in counted frames, refusals as warnings', async () => {
    let text = '';
    let arrived = (): void => {};
    const server = createTcp((socket) => {
      socket.on('data', (chunk) => {
        text += chunk.toString();
        arrived();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const events = [event(1), event(2, 'invalid_client', 'token.refused')];
    const some = new Promise<void>((resolve) => {
      arrived = () => text.includes('event-2') && resolve();
    });
    await exporter(`syslog+tcp://127.0.0.1:${port}`, events, []).run();
    await some;
    const messages: string[] = [];
    while (text !== '') {
      const [length = ''] = text.split(' ');
      messages.push(text.slice(length.length + 1, length.length + 1 + Number(length)));
      text = text.slice(length.length + 1 + Number(length));
    }
    expect(messages[0]).toMatch(/^<110>1 1970-01-01T00:00:01\.001Z \S+ voxgate \d+ - - \{.*\}$/);
    expect(messages[1]).toMatch(/^<108>1 .*"type":"token\.refused"/);
  });

  it('by TLS goes to a SIEM of a known authority only', async () => {
    const file = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
    const [key, cert] = [file('key.pem'), file('cert.pem')];
    let text = '';
    let arrived = (): void => {};
    const server = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      socket.on('data', (chunk) => {
        text += chunk.toString();
        arrived();
      });
      socket.on('error', () => {});
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const url = `syslog+tls://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stranger = exporter(url, [event(1)], []);
    await stranger.run();
    expect([stranger.failures, text]).toEqual([1, '']);
    const some = new Promise<void>((resolve) => {
      arrived = () => text.includes('event-1') && resolve();
    });
    const known = exporter(url, [event(1)], [], cert);
    await known.run();
    await some;
    expect(known.failures).toBe(0);
    expect(text).toMatch(/^\d+ <110>1 1970-01-01T00:00:01\.001Z /);
  });

  it('that nobody listens to fails without harm', async () => {
    const siemExport = exporter('syslog+tcp://127.0.0.1:1', [event(1)], []);
    await siemExport.run();
    expect(siemExport.failures).toBe(1);
  });
});

it.each([
  ['https://siem.example/in', true],
  ['syslog+tls://siem.example:6514', true],
  ['udp://siem.example', false],
  ['https://user:pass@siem.example', false],
])('%s is a place to send to: %s', (url, good) => {
  const load = () => loadConfig({ env: {}, flags: { 'siem.url': url, home: '/nowhere' } });
  if (good) expect(load).not.toThrow();
  else expect(load).toThrow(ConfigError);
});
