// An acknowledged write survives the death of the server at any moment. The built program is killed without
// warning again and again in the middle of concurrent writes over HTTP; each time it starts again on the same home
// directory, and at the end everything it ever acknowledged is there and the audit trail is whole. What got no answer is sent again
// under its idempotency key: it is done once, whether or not the server had done it before it died.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { callSamples, muLaw } from '../live/support.js';
import { builtProgram } from '../support/built-program.js';
import { Client, oneWorker, serve } from '../support/served-program.js';
import { temporaryFolder } from '../support/storage.js';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 6);
/** KILL_WRITES=1000 makes every round that long. */
const ACKNOWLEDGED_PER_ROUND = Number(process.env['KILL_WRITES'] ?? 50);
const WRITERS = 8;

beforeAll(builtProgram, 120_000);

it('loses nothing acknowledged in rounds of kill -9', { timeout: 1_200_000 }, async () => {
  const home = temporaryFolder();
  const acknowledged = new Map<string, string>();
  let secret = '';
  let decided: Client['context'] | undefined;
  const unanswered: { personId: string; context: Client['context'] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serve(home, oneWorker);
    onTestFinished(() => void server.process.kill('SIGKILL'));
    secret = server.bootstrap.application.client_secret ?? secret;
    const api = await Client.of(server, secret);
    const exited = once(server.process, 'exit');
    if (round === 0) decided = await decideLive(api);
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

  const server = await serve(home, oneWorker);
  const api = await Client.of(server, secret);
  const lost: string[] = [];
  for (const [personId, gkPersonId] of acknowledged) {
    const answer = await api.get(`/v1/persons/${personId}/gkid`);
    if (answer.gkPersonId?.value !== gkPersonId) lost.push(personId);
  }
  expect(lost).toEqual([]);
  const query = { 'context.gk_session_id.value': decided?.gkSessionId?.value ?? '' };
  const engagement = { 'context.gk_engagement_id.value': decided?.gkEngagementId?.value ?? '' };
  const { decision } = await api.get('/v1/sessions/decision', { ...query, ...engagement });
  expect(decision).toBe('DECISION_FRAUD');
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

/** A live call up to its decision, which is acknowledged by telling it; then the line stays open. All test voices are synthetic. */
async function decideLive(api: Client): Promise<Client['context']> {
  const { streamToken } = await api.post('/v1/live/calls', { target: { syntheticSpeech: true } });
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
  return api.context;
}
