// The samples of the API page run as they are written: none is refused for its form. What they name need not exist.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/transport/openapi/document.js';
import { startTestServer, TEST_TOKEN, type TestServer } from '../support/server.js';

interface Sample {
  id: string;
  source: string;
}

let server: TestServer;
let samples: Sample[];
/** Variables of the shell: what earlier answers gave. */
const known: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer();
  const document = (await server.rest('GET', '/openapi.json', { token: null })).body as OpenApiDocument;
  samples = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => !operation.deprecated)
    .map((operation) => ({
      id: operation.operationId,
      source: operation['x-codeSamples'][0]?.source ?? '',
    }));
  for (const name of new Set(samples.flatMap(({ source }) => source.match(/\$\{?[A-Z_]+/g) ?? [])))
    known[name.replace(/^\$\{?/, '')] = randomUUID();
  Object.assign(known, { VOXGATE: server.httpUrl, TOKEN: TEST_TOKEN, BUSINESS_UNIT_ID: '10' });
});
afterAll(() => server.stop());

interface Ran {
  id: string;
  status: number;
  body: string;
}

/** As the reader would: in a shell. */
async function run({ id, source }: Sample): Promise<Ran> {
  const shell = spawn('bash', ['-u'], {
    env: { ...process.env, ...known },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  shell.stdin.end(`curl() { command curl -s -w '\\n%{http_code}' "$@"; }\n${source}\n`);
  const lines = (await text(shell.stdout)).split('\n');
  return { id, status: Number(lines.at(-1)), body: lines.slice(0, -1).join('\n') };
}

/** The same without a process for each of them: the words of the command as the shell and curl read them. */
async function send({ id, source }: Sample): Promise<Ran> {
  const filled = source.replace(/\$\{?([A-Z_]+)\}?/g, (_all, name: string) => known[name] ?? '');
  const [, method = 'GET', url = ''] = /^curl(?: -X ([A-Z]+))? "([^"]+)"/.exec(filled) ?? [];
  const body = /<<JSON\n(.*)\nJSON$/s.exec(filled)?.[1];
  const headers = Object.fromEntries(
    [...filled.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  return { id, status: answer.status, body: await answer.text() };
}

const named = (id: string): Sample => samples.find((sample) => sample.id === id) as Sample;

describe('the samples of the API page', () => {
  it('lead from a tenant to a session and a person in it', async () => {
    const answer = async (id: string) => {
      const { status, body } = await run(named(id));
      expect([id, status, body]).toEqual([id, 200, expect.any(String)]);
      return JSON.parse(body) as Record<string, { value: string }>;
    };
    known['GK_SCOPE_ID'] = (await answer('ScopesManager_CreateScope'))['gkScopeId']?.value ?? '';
    await answer('ScopesManager_SetScopeState');
    const session = await answer('SessionsManager_StartSession');
    known['GK_SESSION_ID'] = session['gkSessionId']?.value ?? '';
    known['GK_ENGAGEMENT_ID'] = session['gkEngagementId']?.value ?? '';
    known['GK_PERSON_ID'] = (await answer('EntitiesManager_CreatePerson'))['gkPersonId']?.value ?? '';
    await answer('EntitiesManager_GetPersonDetails');
    await answer('Directory_ListPersons');
  });

  it('are never refused for their form', async () => {
    // What takes something away comes later, what ends the session or the tenant comes last.
    const rank = ({ id }: Sample): number =>
      /Stop|ScopesManager/.test(id) ? 2 : /Delete|Rename|Remove/.test(id) ? 1 : 0;
    const ran: Ran[] = [];
    for (const sample of [...samples].sort((a, b) => rank(a) - rank(b))) ran.push(await send(sample));
    expect(ran.length).toBeGreaterThan(150);
    expect(ran.filter(({ status }) => status === 400 || status >= 500)).toEqual([]);
  });
});
