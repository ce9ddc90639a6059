// What bench/service.ts stands on: the real server in a process of its own, started as an operator would, and a
// small keep-alive HTTP client with words for what an integrator does. It knows nothing of load or figures.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { encodeWav } from '../src/voice/audio/encode-wav.js';
import { serve } from '../test/support/served-program.js';
import { residentMiBOf } from './harness.js';

export interface Answer {
  status: number;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  milliseconds: number;
}

export interface Context {
  gkScopeId: { value: string };
  configsetId: string;
  gkSessionId: { value: string };
  gkEngagementId: { value: string };
}

const root = new URL('..', import.meta.url);

type Served = Awaited<ReturnType<typeof serve>>;

export class BenchPlatform {
  readonly #child: ChildProcess;
  readonly home: string;
  readonly #url: URL;
  readonly gkScopeId: string;
  readonly configsetId: string;
  /** What was measured: the built program, or the sources through a loader. */
  readonly program: 'dist' | 'src';
  #agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  #token = '';
  readonly #application: Served['bootstrap']['application'];

  private constructor(home: string, served: Served) {
    const { bootstrap } = served;
    this.#child = served.process;
    this.home = home;
    this.#url = new URL(served.http);
    this.gkScopeId = bootstrap.scope.gk_scope_id;
    this.configsetId = bootstrap.configset_id;
    this.program = served.program;
    this.#application = bootstrap.application;
  }

  /** `env`: settings as an operator would give them. */
  static async start(env: Record<string, string> = {}): Promise<BenchPlatform> {
    const home = mkdtempSync(join(tmpdir(), 'voxgate-bench-'));
    const served = await serve(home, env);
    const platform = new BenchPlatform(home, served);
    await platform.authorize();
    return platform;
  }

  /** A new token; they end after a quarter of an hour. */
  async authorize(): Promise<void> {
    const { client_id, client_secret } = this.#application;
    const grant = await this.send('POST', '/oauth2/token', 'grant_type=client_credentials&scope=biosec', {
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    this.#token = accepted(grant).access_token;
  }

  get url(): string {
    return this.#url.origin;
  }

  /** A figure of /metrics, summed over its labels. */
  async metric(name: string): Promise<number> {
    const lines = String((await this.send('GET', '/metrics')).body).split('\n');
    const values = lines.filter((line) => new RegExp(`^${name}[ {]`).test(line));
    return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** After a long silence the server has closed what was kept open. */
  reconnect(): void {
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Resident memory of the server in MiB; 0 where the system does not say. */
  residentMiB(): number {
    return residentMiBOf(this.#child.pid);
  }

  /** Processor time of the server so far, in steps of a clock tick; 0 where the system does not say. */
  cpuMs(): number {
    try {
      const text = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
      // The name before it may hold anything, so fields are counted from its closing bracket.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      return 0;
    }
  }

  send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const startedAtMs = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        },
        (incoming) => {
          const pieces: Buffer[] = [];
          incoming.on('data', (piece: Buffer) => pieces.push(piece));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(pieces).toString();
            const isJson = incoming.headers['content-type']?.includes('json') ?? false;
            resolve({
              status: incoming.statusCode ?? 0,
              body: isJson ? JSON.parse(text) : text,
              milliseconds: performance.now() - startedAtMs,
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  post(path: string, body: object): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body), {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
    });
  }

  get(path: string, context: Context): Promise<Answer> {
    const query = new URLSearchParams({ 'context.configsetId': context.configsetId });
    for (const name of ['gkScopeId', 'gkSessionId', 'gkEngagementId'] as const)
      query.set(`context.${name}.value`, context[name].value);
    return this.send('GET', `${path}?${query}`, undefined, { authorization: `Bearer ${this.#token}` });
  }

  /** A list of the tenant; the path may narrow it. */
  list(path: string): Promise<Answer> {
    const query = `context.gkScopeId.value=${this.gkScopeId}`;
    return this.send('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`, undefined, {
      authorization: `Bearer ${this.#token}`,
    });
  }

  async open(): Promise<Context> {
    const scope = { gkScopeId: { value: this.gkScopeId }, configsetId: this.configsetId };
    const { gkSessionId, gkEngagementId } = accepted(
      await this.post('/v1/sessions/start', { context: scope, sessionType: 2 }),
    );
    return { ...scope, gkSessionId, gkEngagementId };
  }

  async createProfile(context: Context, personId: string): Promise<string> {
    accepted(await this.post('/v1/persons', { context, personId }));
    const made = await this.post('/v1/voiceprints/profiles', { context, owner: { personId, tag: 'main' } });
    return accepted(made).gkVoiceprintProfileId.value;
  }

  /** Asks for an upload URL and puts the audio there; the answer of the one that failed, or of the upload. */
  async upload(context: Context, wav: Uint8Array): Promise<Answer & { media?: { value: string } }> {
    const asked = await this.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
    if (asked.status !== 200) return asked;
    const url = new URL(asked.body.mediaUploadUrl);
    const put = await this.send('PUT', `${url.pathname}${url.search}`, wav, { 'content-type': 'audio/wav' });
    return {
      ...put,
      milliseconds: asked.milliseconds + put.milliseconds,
      ...(put.status === 201 && { media: asked.body.gkMediaSegmentId }),
    };
  }
}

/** The body of a call that has to succeed: everything that is set up before the measuring starts. */
export function accepted(answer: Answer): Answer['body'] {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A print of three recordings. */
export async function trainPrint(
  platform: BenchPlatform,
  voice: string,
  clips: readonly Uint8Array[],
): Promise<string> {
  const context = await platform.open();
  const profile = await platform.createProfile(context, voice);
  for (const wav of clips) {
    const { media } = await platform.upload(context, wav);
    const processed = accepted(
      await platform.post('/v1/audios/process', { context, gkMediaSegmentId: media, isForEnrollment: true }),
    ).result;
    const { gkProcessedAudioId } = processed;
    accepted(await platform.post(`/v1/voiceprints/${profile}/enrollment`, { context, gkProcessedAudioId }));
  }
  const { result } = accepted(await platform.post(`/v1/voiceprints/${profile}/training`, { context }));
  if (result.trainStatus !== 'TRAIN_STATUS_TRAINED') throw new Error(`${voice}: ${result.reason}`);
  return profile;
}

export const voices = ['anna', 'bruno', 'carl', 'dora', 'emil', 'fritz'] as const;

/** The first seconds of an utterance of a synthetic voice as 16-bit WAV. */
export async function clip(voice: string, utterance: number, seconds: number): Promise<Uint8Array> {
  const file = new URL(`test/fixtures/voices/${voice}/${utterance}.opus`, root);
  const audio = await decodeAudio(new Uint8Array(readFileSync(file)));
  if (!audio.ok) throw new Error(audio.reason);
  return encodeWav(audio.samples.subarray(0, Math.round(seconds * audio.sampleRateHz)), audio.sampleRateHz);
}
