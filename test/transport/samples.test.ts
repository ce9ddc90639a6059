// The samples of the API page run as they are written: none is refused for its form. What they name need not exist.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Voxgate, VoxgateError } from '../../src/client/index.js';
import type { OpenApiDocument } from '../../src/transport/openapi/document.js';
import { startTestServer, TEST_TOKEN, type TestServer } from '../support/server.js';

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** The constructor of asynchronous functions, which has no name of its own. */
const asyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<void>;

interface Sample {
  id: string;
  source: string;
}

const languages = ['curl', 'TypeScript', 'Python'] as const;
type Language = (typeof languages)[number];

let server: TestServer;
let samples: Sample[];
const inLanguage = new Map<Language, Sample[]>();
/** Variables of the shell: what earlier answers gave. */
const known: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer();
  const document = (await server.rest('GET', '/openapi.json', { token: null })).body as OpenApiDocument;
  const operations = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => !operation.deprecated);
  for (const language of languages)
    inLanguage.set(
      language,
      operations.map((operation) => ({
        id: operation.operationId,
        source: operation['x-codeSamples'].find(({ label }) => label === language)?.source ?? '',
      })),
    );
  samples = inLanguage.get('curl') ?? [];
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
    const ran: Ran[] = [];
    for (const sample of inOrder(samples)) ran.push(await send(sample));
    expect(ran.length).toBeGreaterThan(150);
    expect(faultsIn(ran)).toEqual([]);
  });

  it('are taken from TypeScript, too', { tags: 'slow' }, async () => {
    const variables = await freshTenant();
    const voxgate = new Voxgate({
      server: server.httpUrl,
      tenant: variables['GK_SCOPE_ID'] ?? '',
      token: TEST_TOKEN,
    });
    const ran: Ran[] = [];
    for (const { id, source } of inOrder(inLanguage.get('TypeScript') ?? [])) {
      const names = [...Object.keys(variables), 'voxgate', 'console'];
      const work = new asyncFunction(...names, source);
      const told = await work(...Object.values(variables), voxgate, { log: () => undefined }).then(
        () => ({ status: 200, body: '' }),
        (thrown: unknown) => {
          if (!(thrown instanceof VoxgateError)) throw thrown;
          return { status: thrown.httpStatus, body: thrown.message };
        },
      );
      ran.push({ id, ...told });
    }
    expect(ran.length).toBe(samples.length);
    expect(faultsIn(ran)).toEqual([]);
  });

  it.skipIf(!HAS_PYTHON)(
    `are taken from Python, too${HAS_PYTHON ? '' : ' (skipped: no python3)'}`,
    { tags: 'slow' },
    async () => {
      const variables = await freshTenant();
      const script = join(import.meta.dirname, 'run_samples.py');
      const folder = join(import.meta.dirname, '..', '..', 'packages', 'python');
      const child = spawn('python3', [script], {
        env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const ordered = inOrder(inLanguage.get('Python') ?? []);
      child.stdin.end(
        JSON.stringify({ server: server.httpUrl, token: TEST_TOKEN, variables, samples: ordered }),
      );
      const ran = JSON.parse(await text(child.stdout)) as Ran[];
      expect(ran.length).toBe(samples.length);
      expect(faultsIn(ran)).toEqual([]);
    },
  );
});

/** A prompt is drawn for one call, so that of a sample is unknown. */
const faultsIn = (ran: readonly Ran[]): Ran[] =>
  ran.filter(
    ({ status, body }) =>
      (status === 400 && !body.includes('is no prompt of the last day')) || status >= 500 || status === 0,
  );

/** What nobody may have done before comes first, what takes something away later, what ends the session or the tenant last. */
function inOrder(all: readonly Sample[]): Sample[] {
  const rank = ({ id }: Sample): number =>
    /RecordOutcome/.test(id)
      ? -1
      : /Stop|ScopesManager/.test(id)
        ? 2
        : /Delete|Rename|Remove/.test(id)
          ? 1
          : 0;
  return [...all].sort((a, b) => rank(a) - rank(b));
}

/** A tenant that nobody has ended yet, with a session and a person in it. */
async function freshTenant(): Promise<Record<string, string>> {
  const scopeId = randomUUID();
  const body = { scopeId, scopeProfile: 'SCOPE_PROFILE_DEFAULT', expectedPersonsNumber: 10 };
  const made = await server.rest('POST', '/v1/scopes', { body });
  const { gkScopeId } = made.body as { gkScopeId: { value: string } };
  const started = await server.rest('POST', '/v1/sessions/start', {
    body: { context: { gkScopeId, configsetId: 'SYSTEM' }, sessionType: 2 },
  });
  const { gkSessionId, gkEngagementId } = started.body as Record<string, { value: string }>;
  const person = await server.rest('POST', '/v1/persons', {
    body: { context: { gkScopeId, gkSessionId, gkEngagementId }, personId: randomUUID() },
  });
  const others = Object.fromEntries(Object.keys(known).map((name) => [name, randomUUID()]));
  return {
    ...others,
    BUSINESS_UNIT_ID: '10',
    GK_SCOPE_ID: gkScopeId.value,
    GK_SESSION_ID: gkSessionId?.value ?? '',
    GK_ENGAGEMENT_ID: gkEngagementId?.value ?? '',
    GK_PERSON_ID: (person.body as { gkPersonId: { value: string } }).gkPersonId.value,
  };
}
