// @module-tag slow
// An acknowledged write survives the death of the server at any moment. The built program is killed without
// warning again and again in the middle of concurrent writes over HTTP; each time it starts again on the same home
// directory, and at the end everything it ever acknowledged is there and the audit trail is whole. What got no answer is sent again
// under its idempotency key: it is done once, whether or not the server had done it before it died. A webhook follows all the
// while: every change has one event, and each comes at least once.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { callSamples, muLaw } from '../live/support.js';
import { builtProgram } from '../support/built-program.js';
import { Client, oneWorker, serve } from '../support/served-program.js';
import { temporaryFolder } from '../support/storage.js';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 4);
/** KILL_WRITES=1000 makes every round that long. */
const ACKNOWLEDGED_PER_ROUND = Number(process.env['KILL_WRITES'] ?? 50);
const WRITERS = 8;

beforeAll(builtProgram, 120_000);

it('loses nothing acknowledged in rounds of kill -9', { timeout: 1_200_000 }, async () => {
  const home = temporaryFolder();
  const acknowledged = new Map<string, string>();
  let secret = '';
  let decided: { context: Client['context']; liveCallId: string } | undefined;
  const hook = await receiver();
  const settings = { ...oneWorker, ...hook.settings };
  const unanswered: { personId: string; context: Client['context'] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serve(home, settings);
    onTestFinished(() => void server.process.kill('SIGKILL'));
    secret = server.bootstrap.application.client_secret ?? secret;
    const api = await Client.of(server, secret);
    const exited = once(server.process, 'exit');
    if (round === 0) {
      hook.secret = (await api.post('/v1/webhooks', { url: hook.url })).secret;
      decided = await decideLive(api);
    }
    const make = (personId: string, context = api.context) =>
      api.post('/v1/persons', { context, personId }, { 'idempotency-key': personId });
    for (const { personId, context } of unanswered.splice(0)) {
      const answer = await make(personId, context);
      expect(answer).toMatchObject({ status: { statusCode: 'OK' } });
      acknowledged.set(personId, answer.gkPersonId.value);
    }
    let count = 0;
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const personId = `${round}-${writer}-${n}`;
        const answer = await make(personId).catch(() => undefined);
        if (answer === undefined) {
          unanswered.push({ personId, context: api.context }); // the server died before it could answer
          return;
        }
        expect(answer).toMatchObject({ status: { statusCode: 'OK' } });
        acknowledged.set(personId, answer.gkPersonId.value);
        // In the answer to one of several writers, so that others are in the middle of theirs.
        if (++count === ACKNOWLEDGED_PER_ROUND) server.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(count).toBeGreaterThanOrEqual(ACKNOWLEDGED_PER_ROUND);
  }

  const server = await serve(home, settings);
  const api = await Client.of(server, secret);
  const lost: string[] = [];
  for (const [personId, gkPersonId] of acknowledged) {
    const answer = await api.get(`/v1/persons/${personId}/gkid`);
    if (answer.gkPersonId?.value !== gkPersonId) lost.push(personId);
  }
  expect(lost).toEqual([]);
  await expectAllDelivered(api, hook.received, [...acknowledged.values()]);
  const { gkSessionId, gkEngagementId } = decided?.context ?? {};
  const query = { 'context.gk_session_id.value': gkSessionId?.value ?? '' };
  const engagement = { 'context.gk_engagement_id.value': gkEngagementId?.value ?? '' };
  const { decision } = await api.get('/v1/sessions/decision', { ...query, ...engagement });
  expect(decision).toBe('DECISION_FRAUD');
  // The call itself is over, and says how.
  const readCall = async () => (await api.get(`/v1/live/calls/${decided?.liveCallId}`)).call;
  await expect.poll(async () => (await readCall()).ended, { interval: 500 }).toBe(true);
  expect((await readCall()).events.at(-1)).toMatchObject({
    state: 'FRAUD',
    final: true,
    endReason: 'crashed',
  });
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  const verified = execFileSync(process.execPath, [
    'bin/voxgate',
    'audit',
    'verify',
    '--home',
    home,
    '--json',
  ]);
  expect(JSON.parse(verified.toString())).toMatchObject({ ok: true });
});

/** Takes most of what it is sent; the rest has to be sent again. */
async function receiver() {
  const received = new Map<string, number>();
  let asked = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (asked++ % 20 === 7) return void response.writeHead(503).end();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([n, v]) => [n, String(v)]));
      const event = new Verifier(hook.secret).verify(Buffer.concat(chunks).toString(), headers);
      const { id } = event as { id: string };
      received.set(id, (received.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret: '',
    received,
    settings: { VOXGATE_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1', VOXGATE_WEBHOOKS_PLAIN_HTTP: 'true' },
  };
  return hook;
}

/** Every person was made by one event, and every event since the webhook has come. */
async function expectAllDelivered(
  api: Client,
  received: ReadonlyMap<string, number>,
  gkPersonIds: readonly string[],
): Promise<void> {
  const events: { id: string; type: string; subject?: string }[] = [];
  for (let cursor = '', isLast = false; !isLast;) {
    const page = await api.get('/v1/events', { page_size: '1000', ...(cursor && { cursor }) });
    events.push(...page.events);
    cursor = page.nextCursor;
    isLast = page.endOfEvents === true;
  }
  const makers = events
    .filter(({ type }) => type === 'voxgate.v1.CreatePerson')
    .map(({ subject }) => subject);
  expect(new Set(makers).size).toBe(makers.length);
  expect(gkPersonIds.filter((id) => !makers.includes(id))).toEqual([]);
  const first = events.findIndex(({ type }) => type === 'voxgate.v1.CreateWebhook');
  const wanted = events.slice(first + 1).map(({ id }) => id);
  await expect.poll(() => wanted.filter((id) => !received.has(id)), { timeout: 300_000 }).toEqual([]);
}

/** A live call up to its decision, which is acknowledged by telling it; then the line stays open. All test voices are synthetic. */
async function decideLive(api: Client): Promise<{ context: Client['context']; liveCallId: string }> {
  const { streamToken, liveCallId } = await api.post('/v1/live/calls', { target: { syntheticSpeech: true } });
  const audio = muLaw(await callSamples('anna', [4, 5], 8000));
  const socket = new WebSocket(`${api.http.replace('http', 'ws')}/v1/live`);
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => {
      socket.send(
        JSON.stringify({ start: { streamToken, format: { encoding: 'MULAW', sampleRateHz: 8000 } } }),
      );
      socket.send(audio);
    });
    socket.on('message', (data: Buffer) => {
      if ((JSON.parse(data.toString()) as { event?: { state: string } }).event?.state === 'FRAUD') resolve();
    });
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
  });
  return { context: api.context, liveCallId };
}
