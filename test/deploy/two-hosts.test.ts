// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Two hosts behind a proxy, set up with the files of docs/guides/several-nodes.md as they stand there, each host in a network namespace of
// its own. Where these cannot be made, the name of the suite says why.
import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { get } from 'node:http';
import { createServer, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SessionsManager } from '../../src/gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { utterance } from '../biometrics/support.js';
import { builtProgram } from '../support/built-program.js';
import { Namespaces, namespacesFault } from '../support/namespaces.js';
import { startPostgres, stopPostgres, type OwnPostgres } from '../support/postgres-server.js';
import { startS3, type S3Server } from '../support/s3/server.js';
import { callMetadata, deserializerFor, serializerFor } from '../support/server.js';
import { TEST_MASTER_KEY } from '../support/storage.js';

const ROOT = join(import.meta.dirname, '..', '..');
const addresses = {
  proxy: '10.0.0.10',
  one: '10.0.0.11',
  two: '10.0.0.12',
  database: '10.0.0.21',
  bucket: '10.0.0.22',
};
const PASSWORD = 'of-the-database';

const CALLS_AROUND = 20;

const paths = { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What the guide says is in each file, with the secrets of this test. */
function guide(s3: S3Server): { config: string; secrets: string; bootstrap: string; nginx: string } {
  const [, section = ''] = textOf('docs/guides/several-nodes.md').split('## Two hosts\n');
  const blocks = [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, , text = '']) => text);
  const [config = '', secrets = '', bootstrap = '', nginx = ''] = blocks;
  return {
    config,
    secrets: secrets
      .replace('PASSWORD', PASSWORD)
      .replace('MASTER_KEY\n', `${TEST_MASTER_KEY}\n`)
      .replace('KEY_ID\n', `${s3.credentials.accessKeyId}\n`)
      .replace('"SECRET"', `"${s3.credentials.secretAccessKey}"`),
    bootstrap,
    nginx,
  };
}

const FAULT = namespacesFault() || lacking(['nginx', 'openssl']);

function lacking(programs: string[]): string {
  const missing = programs.find((name) => spawnSync(name, ['-v'], { env: paths }).error !== undefined);
  return missing === undefined ? '' : `${missing} is not installed`;
}

describe.skipIf(FAULT !== '')(`two hosts behind a proxy${FAULT && ` (skipped: ${FAULT})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-hosts-'));
  const at = (name: string): string => join(folder, name);
  const places = (text: string, host = 'one'): string =>
    text
      .replaceAll('/etc/', `${folder}/`)
      .replaceAll('/opt/voxgate', ROOT)
      .replaceAll('/var/lib/voxgate', at(host))
      .replaceAll('/usr/bin/node', process.execPath);
  let network: Namespaces;
  let postgres: OwnPostgres;
  let s3: S3Server;
  let bridge: Server;
  let made: any;
  let token = '';
  let nodes: Record<'one' | 'two', ChildProcess>;

  beforeAll(async () => {
    await builtProgram();
    network = new Namespaces(addresses);
    postgres = await startPostgres({
      files: { 'pg_hba.conf': 'local all voxgate scram-sha-256\nhost all postgres 127.0.0.1/32 trust\n' },
    });
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query(`create role voxgate login password '${PASSWORD}'`);
    await admin.query('create database voxgate owner voxgate');
    await admin.end();
    s3 = await startS3();
    // The store listens in this process; a socket in the file system is reached from every namespace.
    bridge = createServer((near) => {
      const far = connect(Number(new URL(s3.endpoint).port), '127.0.0.1');
      near.pipe(far).pipe(near);
      for (const each of [near, far]) each.on('error', () => (near.destroy(), far.destroy()));
    }).listen(at('s3'));
    const socket = `${postgres.folder}/.s.PGSQL.${new URL(postgres.url).port}`;
    await network.relay('database', [[`${addresses.database}:5432`, socket]]);
    await network.relay('bucket', [[`${addresses.bucket}:9000`, at('s3')]]);
    await network.relay('lan', [
      [at('proxy.sock'), `${addresses.proxy}:443`],
      [at('one.sock'), `${addresses.one}:8080`],
      [at('two.sock'), `${addresses.two}:8080`],
    ]);

    const files = guide(s3);
    for (const name of ['voxgate', 'nginx', 'one', 'two']) mkdirSync(at(name));
    writeFileSync(at('voxgate/config.json'), files.config);
    writeFileSync(at('voxgate/secrets.env'), files.secrets);
    const subject = [
      '-subj',
      '/CN=voice.example.com',
      '-addext',
      'subjectAltName=DNS:voice.example.com,DNS:localhost',
    ];
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      at('nginx/voice.key'),
    ];
    execFileSync('openssl', ['req', '-x509', ...key, '-out', at('nginx/voice.crt'), ...subject], {
      stdio: 'ignore',
    });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/nginx/${name};`,
    );
    writeFileSync(
      at('nginx/nginx.conf'),
      `daemon off; master_process off; pid ${folder}/nginx/pid; error_log stderr crit; worker_processes 1;
      events { worker_connections 256; } http { access_log off; ${temporary.join(' ')} ${places(files.nginx)} }`,
    );
    const script = places(files.bootstrap).replace('voxgate bootstrap', 'voxgate bootstrap --json');
    const bootstrap = network.start('one', ['sh', '-ec', script], {
      env: paths,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    bootstrap.stdout?.on('data', (piece: Buffer) => (printed += piece.toString()));
    await once(bootstrap, 'close');
    made = JSON.parse(printed);

    network.start('proxy', ['nginx', '-p', at('nginx'), '-c', at('nginx/nginx.conf')], {
      env: paths,
      stdio: 'inherit',
    });
    const [one, two] = await Promise.all([started('one'), started('two')]);
    nodes = { one, two };
  });

  afterAll(async () => {
    await network.stop();
    bridge.close();
    await s3.stop();
    await stopPostgres(postgres.folder);
    rmSync(folder, { recursive: true, force: true });
  });

  /** As the unit starts it, and waits until the node is ready. */
  async function started(host: 'one' | 'two'): Promise<ChildProcess> {
    const unit = places(textOf('deploy/systemd/voxgate.service'), host);
    const settings = [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, each = '']) => each);
    const [, secrets = ''] = /^EnvironmentFile=-?(.+)$/m.exec(unit) ?? [];
    const [, program = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
    const script = `set -a; . ${secrets}; exec ${program}`;
    const env = { ...paths, VOXGATE_ENGINE_WORKERS: '1', VOXGATE_LOG_LEVEL: 'error' };
    const child = network.start(host, ['env', ...settings, 'sh', '-ec', script], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await vi.waitFor(async () => expect(await readiness(host)).toBe(200), {
      timeout: 120_000,
      interval: 200,
    });
    return child;
  }

  const readiness = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get({ socketPath: at(`${host}.sock`), path: '/readyz' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });

  /** Over TLS at the proxy, in a connection of its own. */
  function ask(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<{ status: number | undefined; body: any }> {
    return new Promise((resolve, reject) => {
      const bearer = token === '' ? {} : { authorization: `Bearer ${token}` };
      const call = request(
        {
          socketPath: at('proxy.sock'),
          servername: 'voice.example.com',
          ca: readFileSync(at('nginx/voice.crt')),
          agent: false,
          ...{ method, path, headers: { host: 'voice.example.com', ...bearer, ...headers } },
        },
        (answer) => {
          let text = '';
          answer.on('data', (piece: Buffer) => (text += piece.toString()));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text }),
          );
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  const post = async (path: string, body: object): Promise<any> =>
    (await ask('POST', path, JSON.stringify(body))).body;
  const scope = () => ({ gkScopeId: { value: made.scope.gk_scope_id }, configsetId: made.configset_id });

  it('are one to a caller over REST and gRPC, who is known by their own address', async () => {
    const { client_id: id, client_secret: secret } = made.application;
    const answer = await ask('POST', '/oauth2/token', 'grant_type=client_credentials&scope=biosec', {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    token = answer.body.access_token as string;
    const issuer = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iss;
    expect(issuer).toBe('https://voice.example.com');

    const { gkSessionId, gkEngagementId } = await post('/v1/sessions/start', {
      context: scope(),
      sessionType: 2,
    });
    const context = { ...scope(), gkSessionId, gkEngagementId };
    const { mediaUploadUrl, gkMediaSegmentId } = await post('/v1/audios/upload-url', {
      context,
      container: 'CONTAINER_WAV',
    });
    const { origin, pathname, search } = new URL(mediaUploadUrl as string);
    expect(origin).toBe('https://voice.example.com');
    const wave = { 'content-type': 'audio/wave' };
    expect((await ask('PUT', `${pathname}${search}`, utterance('anna', 1), wave)).status).toBe(201);
    expect([...s3.objects.keys()].filter((name) => !name.startsWith('prod/'))).toEqual([]);
    for (let times = 0; times < 4; times++)
      expect(await post('/v1/audios/process', { context, gkMediaSegmentId })).toMatchObject({
        status: { statusCode: 'OK' },
      });

    const { startSession } = SessionsManager.method;
    const client = new Client(
      `unix:${at('proxy.sock')}`,
      credentials.createSsl(readFileSync(at('nginx/voice.crt'))),
    );
    for (let times = 0; times < 4; times++) {
      const started = await new Promise<any>((resolve, reject) =>
        client.makeUnaryRequest(
          `/${SessionsManager.typeName}/${startSession.name}`,
          serializerFor(startSession.input) as (value: object) => Buffer,
          deserializerFor(startSession.output),
          { context: scope(), sessionType: 2 },
          callMetadata({ token }),
          (error, value) => (error ? reject(error) : resolve(value)),
        ),
      );
      expect(started.gkSessionId.value).toEqual(expect.any(String));
    }
    client.close();

    const database = new URL(postgres.url);
    database.pathname = '/voxgate';
    const events = new pg.Client({ connectionString: database.href });
    await events.connect();
    const { rows } = await events.query("select attributes from runtime_events where type = 'token.issued'");
    await events.end();
    expect(rows.map(({ attributes }) => JSON.parse(attributes as string).address)).toEqual([network.caller]);
  });

  it('lose no call when one is stopped, and at most the one in flight when one dies', async () => {
    expect(await failuresWhile(() => end('one', 'SIGTERM'))).toEqual([]);
    nodes.one = await started('one');
    expect((await failuresWhile(() => end('two', 'SIGKILL'))).slice(1)).toEqual([]);
    nodes.two = await started('two');
    expect(await failuresWhile(() => end('one', 'SIGTERM'))).toEqual([]);
  });

  async function end(host: 'one' | 'two', how: NodeJS.Signals): Promise<void> {
    const gone = once(nodes[host], 'exit');
    nodes[host].kill(how);
    await gone;
  }

  /** What failed of the calls that one caller made before, during and after it. */
  async function failuresWhile(change: () => Promise<void>): Promise<unknown[]> {
    const failures: unknown[] = [];
    let left = CALLS_AROUND;
    let isOver = false;
    const call = async (): Promise<void> => {
      const answer = await ask(
        'POST',
        '/v1/sessions/start',
        JSON.stringify({ context: scope(), sessionType: 2 }),
      );
      if (answer.status !== 200) failures.push(answer);
    };
    const calls = (async () => {
      while (!isOver || left-- > 0) await call();
    })();
    await change();
    isOver = true;
    await calls;
    return failures;
  }
});
