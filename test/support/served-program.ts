/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// The program as users run it, in a process of its own that a test may kill, and a client that speaks REST to it.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

export interface Served {
  /** `dist` where the build is current, which starts sooner; else `src`. */
  program: 'dist' | 'src';
  process: ChildProcess;
  http: string;
  bootstrap: {
    scope: { gk_scope_id: string };
    configset_id: string;
    application: { client_id: string; client_secret?: string };
  };
}

/** For a program that is started again and again: each worker loads the models. */
export const oneWorker = { VOXGATE_ENGINE_WORKERS: '1' };

const current = new Set<string>();

/** Whether the build of a checkout is that of its sources; looked at until it is, because every file of them is read for that. */
export async function isBuiltAt(checkout: URL): Promise<boolean> {
  if (current.has(checkout.href)) return true;
  const setup = (await import(new URL('scripts/setup.mjs', checkout).href)) as { isBuilt(): boolean };
  if (!setup.isBuilt()) return false;
  current.add(checkout.href);
  return true;
}

/** `env`: settings as an operator would give them. */
export async function serve(home: string, env: Record<string, string> = {}): Promise<Served> {
  const program = (await isBuiltAt(root)) ? 'dist' : 'src';
  const main = program === 'dist' ? ['dist/main.js'] : ['--import', 'tsx', 'src/main.ts'];
  const flags = ['--bootstrap', '--json', '--home', home, '--log-level', 'silent'];
  const addresses = ['--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0'];
  const child = spawn(process.execPath, [...main, 'serve', ...flags, ...addresses], {
    cwd: fileURLToPath(root),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('\n')) resolve(text);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { http, bootstrap } = JSON.parse(line);
  return { program, process: child, http, bootstrap };
}

interface Context {
  gkScopeId: { value: string };
  configsetId: string;
  gkSessionId?: { value: string };
  gkEngagementId?: { value: string };
}

/** A client of one run of the server. */
export class Client {
  readonly http: string;
  readonly #headers: Record<string, string>;
  readonly context: Context;

  private constructor(http: string, headers: Record<string, string>, context: Context) {
    this.http = http;
    this.#headers = headers;
    this.context = context;
  }

  static async of({ http, bootstrap }: Served, secret: string): Promise<Client> {
    const basic = Buffer.from(`${bootstrap.application.client_id}:${secret}`).toString('base64');
    const token = await fetch(`${http}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
    });
    const { access_token } = (await token.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const scope = { gkScopeId: { value: bootstrap.scope.gk_scope_id }, configsetId: bootstrap.configset_id };
    const first = new Client(http, headers, scope);
    const { gkSessionId, gkEngagementId } = await first.post('/v1/sessions/start', { sessionType: 2 });
    return new Client(http, headers, { ...scope, gkSessionId, gkEngagementId });
  }

  post(path: string, body: object, headers: Record<string, string> = {}): Promise<any> {
    return this.#send('POST', path, body, headers);
  }

  put(path: string, body: object): Promise<any> {
    return this.#send('PUT', path, body);
  }

  async #send(
    method: string,
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<any> {
    const answer = await fetch(`${this.http}${path}`, {
      method,
      headers: { ...this.#headers, ...headers },
      body: JSON.stringify({ context: this.context, ...body }),
    });
    return answer.json();
  }

  async get(path: string, more: Record<string, string> = {}): Promise<any> {
    const { gkScopeId, configsetId, gkSessionId, gkEngagementId } = this.context;
    const query = new URLSearchParams({
      'context.gk_scope_id.value': gkScopeId.value,
      'context.configset_id': configsetId,
      'context.gk_session_id.value': gkSessionId?.value ?? '',
      'context.gk_engagement_id.value': gkEngagementId?.value ?? '',
      ...more,
    });
    const answer = await fetch(`${this.http}${path}?${query}`, { headers: this.#headers });
    return answer.json();
  }
}
