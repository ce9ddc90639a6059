// An acknowledged write survives the death of the server at any moment. The built program is killed without
// warning 20 times in the middle of concurrent writes over HTTP; each time it starts again on the same home
// directory, and at the end everything it ever acknowledged is there and the audit trail is whole.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
// @ts-expect-error -- a script of the repository, without types
import { build } from '../../scripts/setup.mjs';
import { temporaryFolder } from '../support/storage.js';

const ROUNDS = 20;
/** 1,000 in all; KILL_WRITES=1000 makes every round that long. */
const ACKNOWLEDGED_PER_ROUND = Number(process.env['KILL_WRITES'] ?? 50);
const WRITERS = 8;

interface Server {
  process: ChildProcess;
  http: string;
  bootstrap: {
    scope: { gk_scope_id: string };
    configset_id: string;
    application: { client_id: string; client_secret?: string };
  };
}

// The program as users run it, never one built from older sources.
beforeAll(() => build() as Promise<void>, 120_000);

it('loses nothing acknowledged in 20 rounds of kill -9', { timeout: 1_200_000 }, async () => {
  const home = temporaryFolder();
  const acknowledged = new Map<string, string>();
  let secret = '';
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start(home);
    secret = server.bootstrap.application.client_secret ?? secret;
    const api = await connect(server, secret);
    const exited = once(server.process, 'exit');
    let count = 0;
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const personId = `${round}-${writer}-${n}`;
        const answer = await api.post('/v1/persons', { personId }).catch(() => undefined);
        if (answer === undefined) return; // the server died before it could answer
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

  const server = await start(home);
  const api = await connect(server, secret);
  const lost: string[] = [];
  for (const [personId, gkPersonId] of acknowledged) {
    const answer = await api.get(`/v1/persons/${personId}/gkid`);
    if (answer.gkPersonId?.value !== gkPersonId) lost.push(personId);
  }
  expect(lost).toEqual([]);
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

async function start(home: string): Promise<Server> {
  const options = ['--home', home, '--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0', '--log-level', 'silent'];
  const child = spawn(process.execPath, ['bin/voxgate', 'serve', '--bootstrap', '--json', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout }))
    return { process: child, ...(JSON.parse(line) as Omit<Server, 'process'>) };
  throw new Error('the server ended before it was ready');
}

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
interface Api {
  post(path: string, request: object): Promise<any>;
  get(path: string): Promise<any>;
}

async function connect({ http, bootstrap }: Server, secret: string): Promise<Api> {
  const basic = Buffer.from(`${bootstrap.application.client_id}:${secret}`).toString('base64');
  const token = await fetch(`${http}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const post = async (path: string, request: object): Promise<any> =>
    (await fetch(http + path, { method: 'POST', headers, body: JSON.stringify(request) })).json();
  const scope = { gkScopeId: { value: bootstrap.scope.gk_scope_id }, configsetId: bootstrap.configset_id };
  const { gkSessionId, gkEngagementId } = await post('/v1/sessions/start', {
    context: scope,
    sessionType: 2,
  });
  const context = { ...scope, gkSessionId, gkEngagementId };
  const query = new URLSearchParams({
    'context.gk_scope_id.value': scope.gkScopeId.value,
    'context.configset_id': scope.configsetId,
    'context.gk_session_id.value': gkSessionId.value,
    'context.gk_engagement_id.value': gkEngagementId.value,
  });
  return {
    post: (path, request) => post(path, { context, ...request }),
    get: async (path) => (await fetch(`${http}${path}?${query}`, { headers })).json(),
  };
}
