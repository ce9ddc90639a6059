// A running platform with its real engine for the biometric tests: one tenant, one active config set, and
// short words for what a client does (open a session, upload, enroll, verify) over REST.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { DialectName } from '../../src/storage/database.js';
import { freshPostgresDatabase, type FreshPostgres } from '../support/fresh-postgres.js';
import {
  startTestServer,
  type RestAnswer,
  type TestServer,
  type TestServerOptions,
} from '../support/server.js';
import { describeStores, type StoreLanes } from '../support/lanes.js';

const VOICES_FOLDER = join(import.meta.dirname, '..', 'fixtures', 'voices');

export type VoiceName = 'anna' | 'bruno' | 'carl' | 'dora' | 'emil' | 'fritz';

/** Where utterance `index` (from 1) of a synthetic voice lies. */
export function fixturePath(voice: VoiceName, index: number): string {
  const file = readdirSync(join(VOICES_FOLDER, voice)).find((name) => name.startsWith(`${index}.`));
  if (!file) throw new Error(`no utterance ${index} of ${voice}`);
  return join(VOICES_FOLDER, voice, file);
}

export function utterance(voice: VoiceName, index: number): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(voice, index)));
}

export function fixture(...path: string[]): Uint8Array {
  return new Uint8Array(readFileSync(join(import.meta.dirname, '..', 'fixtures', ...path)));
}

export interface Store {
  dialect: DialectName;
  /** Settings that put a server on an empty database of this kind. */
  settings(): Promise<Record<string, unknown>>;
}

/** Runs a suite from outside on SQLite and on PostgreSQL. */
export function forEachStore(suite: (store: Store) => void, lanes?: StoreLanes): Promise<void> {
  return describeStores((dialect, postgresUrl) => {
    if (dialect === 'sqlite') {
      suite({ dialect, settings: async () => ({}) });
      return;
    }
    let database: Promise<FreshPostgres> | undefined;
    // Hooks run in reverse order: the suite's servers are stopped before their database goes.
    afterAll(async () => (await database)?.drop());
    suite({
      dialect,
      async settings() {
        database ??= freshPostgresDatabase(postgresUrl);
        return { database: (await (await database).migratedSchema()).url };
      },
    });
  }, lanes);
}

export interface RequestContext {
  gkEngagementId?: { value: string };
  gkSessionId?: { value: string };
  gkScopeId: { value: string };
  configsetId?: string;
}

/** For work that goes on by itself: asked all the time, a busy server answers questions instead of doing it. */
export const jobPatience = { timeout: 60_000, interval: 200 } as const;

export class Platform {
  readonly server: TestServer;
  readonly gkScopeId: string;
  readonly configsetId: string;

  private constructor(server: TestServer, gkScopeId: string, configsetId: string) {
    this.server = server;
    this.gkScopeId = gkScopeId;
    this.configsetId = configsetId;
  }

  static async start(options: TestServerOptions & { parameters?: object } = {}): Promise<Platform> {
    const { parameters = {}, ...rest } = options;
    const server = await startTestServer({ ...rest, config: { 'engine.workers': 1, ...rest.config } });
    return Platform.on(server, `tenant-${Math.random().toString(36).slice(2)}`, parameters);
  }

  /** Another tenant on the same server. */
  static async on(server: TestServer, scopeId: string, parameters: object = {}): Promise<Platform> {
    const scope = await server.rest('POST', '/v1/scopes', {
      body: { scopeId, scopeProfile: 'SCOPE_PROFILE_DEFAULT', expectedPersonsNumber: 10 },
    });
    const gkScopeId = scope.body.gkScopeId.value as string;
    const platform = new Platform(server, gkScopeId, 'calls');
    await platform.configure('calls', parameters);
    return platform;
  }

  /** The tenant of a platform that was stopped, on another server over the same database. */
  static async restarted(
    { gkScopeId, configsetId }: Platform,
    options: TestServerOptions,
  ): Promise<Platform> {
    const server = await startTestServer({ ...options, config: { 'engine.workers': 1, ...options.config } });
    return new Platform(server, gkScopeId, configsetId);
  }

  async configure(configsetId: string, parameters: object): Promise<void> {
    const context = { gkScopeId: { value: this.gkScopeId } };
    const made = await this.server.rest('POST', '/v1/configsets', {
      body: {
        context,
        configsetId,
        type: 'CONFIGSET_TYPE_OPERATIONAL',
        rawContent: Buffer.from(JSON.stringify(parameters)).toString('base64'),
      },
    });
    const revision = made.body.gkConfigsetRevisionId.value as string;
    const activated = await this.server.rest('PUT', `/v1/configsets/revisions/${revision}:activate`, {
      body: { context },
    });
    if (activated.status !== 200) throw new Error(JSON.stringify(activated.body));
  }

  async open(configsetId = this.configsetId): Promise<RequestContext> {
    const scope = { gkScopeId: { value: this.gkScopeId }, configsetId };
    const session = await this.server.rest('POST', '/v1/sessions/start', {
      body: { context: scope, sessionType: 2 },
    });
    return { ...scope, gkSessionId: session.body.gkSessionId, gkEngagementId: session.body.gkEngagementId };
  }

  post(path: string, body: object): Promise<RestAnswer> {
    return this.server.rest('POST', path, { body });
  }

  /** GET and DELETE carry their context as dotted query parameters. */
  query(context: RequestContext, more: Record<string, string> = {}): string {
    const parameters = new URLSearchParams(more);
    for (const name of ['gkEngagementId', 'gkSessionId', 'gkScopeId'] as const) {
      const id = context[name];
      if (id) parameters.set(`context.${name}.value`, id.value);
    }
    if (context.configsetId) parameters.set('context.configsetId', context.configsetId);
    return parameters.toString();
  }

  async upload(
    context: RequestContext,
    bytes: Uint8Array,
    more: object = { container: 'CONTAINER_WAV' },
  ): Promise<string> {
    const answer = await this.post('/v1/audios/upload-url', { context, ...more });
    if (answer.status !== 200) throw new Error(`upload-url: ${answer.status} ${JSON.stringify(answer.body)}`);
    const put = await fetch(answer.body.mediaUploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wave' },
      body: new Uint8Array(bytes),
    });
    if (put.status !== 201) throw new Error(`upload: ${put.status} ${await put.text()}`);
    return answer.body.gkMediaSegmentId.value;
  }

  async process(context: RequestContext, bytes: Uint8Array, more: object = {}): Promise<RestAnswer['body']> {
    const gkMediaSegmentId = { value: await this.upload(context, bytes) };
    return (await this.post('/v1/audios/process', { context, gkMediaSegmentId, ...more })).body.result;
  }

  async createOwner(context: RequestContext, kind: 'person' | 'fraudster', id: string): Promise<string> {
    const answer = await this.post(`/v1/${kind}s`, { context, [`${kind}Id`]: id });
    return answer.body[kind === 'person' ? 'gkPersonId' : 'gkFraudsterId'].value;
  }

  async createProfile(
    context: RequestContext,
    kind: 'person' | 'fraudster',
    id: string,
    tag = 'main',
  ): Promise<string> {
    const answer = await this.post('/v1/voiceprints/profiles', {
      context,
      owner: { [`${kind}Id`]: id, tag },
    });
    return answer.body.gkVoiceprintProfileId.value;
  }

  async enroll(context: RequestContext, profile: string, bytes: Uint8Array): Promise<RestAnswer['body']> {
    const { gkProcessedAudioId } = await this.process(context, bytes, { isForEnrollment: true });
    return (await this.post(`/v1/voiceprints/${profile}/enrollment`, { context, gkProcessedAudioId })).body
      .result;
  }

  async train(context: RequestContext, profile: string): Promise<RestAnswer['body']> {
    return (await this.post(`/v1/voiceprints/${profile}/training`, { context })).body.result;
  }

  /** A trained print of a voice, from its first three utterances. */
  async printOf(
    voice: VoiceName,
    kind: 'person' | 'fraudster' = 'person',
    id: string = voice,
  ): Promise<{ profile: string; owner: string }> {
    const context = await this.open();
    const owner = await this.createOwner(context, kind, id);
    const profile = await this.createProfile(context, kind, id);
    for (const index of [1, 2, 3]) await this.enroll(context, profile, utterance(voice, index));
    const result = await this.train(context, profile);
    if (result.trainStatus !== 'TRAIN_STATUS_TRAINED') throw new Error(JSON.stringify(result));
    return { profile, owner };
  }

  async verify(
    context: RequestContext,
    profile: string,
    bytes: Uint8Array,
    more: object = {},
  ): Promise<RestAnswer> {
    const gkMediaSegmentId = { value: await this.upload(context, bytes) };
    return this.post(`/v1/voiceprints/${profile}/verification`, { context, gkMediaSegmentId, ...more });
  }

  async decision(context: RequestContext): Promise<RestAnswer['body']> {
    return (await this.server.rest('GET', `/v1/sessions/decision?${this.query(context)}`)).body;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
