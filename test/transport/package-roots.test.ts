// A client that was generated from the same definitions under another root package works unchanged: here the contract's own
// files, renamed and compiled anew. Both workflows, over gRPC and over the legacy paths, on both databases.
import {
  create,
  createFileRegistry,
  fromBinary,
  getOption,
  toBinary,
  type DescService,
  type FileRegistry,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { reflectionProtocol } from '../../src/transport/grpc/descriptors.js';
import { at, send, type Outcome, type Transport } from '../biometrics/calls.js';
import type { Json } from '../biometrics/requests.js';
import { Platform, forEachStore, utterance } from '../biometrics/support.js';

const ROOT = 'acme.voice';
const REPOSITORY = join(import.meta.dirname, '..', '..');

/** The contract under another root: a renamed copy, compiled by the compiler that makes our own code. */
function foreignContract(folder: string): FileRegistry {
  cpSync(join(REPOSITORY, 'proto'), join(folder, 'proto'), { recursive: true });
  cpSync(join(REPOSITORY, 'buf.yaml'), join(folder, 'buf.yaml'));
  const foreign = join(folder, 'proto', ...ROOT.split('.'));
  mkdirSync(join(foreign, '..'), { recursive: true });
  renameSync(join(folder, 'proto', 'vendor'), foreign);
  const rewrite = (path: string): void => {
    if (statSync(path).isDirectory()) return readdirSync(path).forEach((name) => rewrite(join(path, name)));
    const text = readFileSync(path, 'utf8')
      .replaceAll('vendor.', `${ROOT}.`)
      .replaceAll('vendor/', `${ROOT.replace('.', '/')}/`);
    writeFileSync(path, text);
  };
  rewrite(join(folder, 'proto'));
  const run = spawnSync(join(REPOSITORY, 'node_modules', '.bin', 'buf'), ['build', '-o', 'set.binpb'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(join(folder, 'set.binpb'))));
}

await forEachStore((store) => {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-roots-'));
  let foreign: FileRegistry;
  let platform: Platform;

  beforeAll(async () => {
    foreign = foreignContract(folder);
    platform = await Platform.start({
      config: { 'compat.packageRoots': `acme, ${ROOT}`, ...(await store.settings()) },
    });
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const serviceOf = (name: string): DescService => {
    const service = foreign.getService(`${ROOT}.biosec.v1.${name}`);
    if (!service) throw new Error(`no service ${name}`);
    return service;
  };

  /** One call of the foreign client: by its gRPC names, or by its legacy path. */
  async function ask(transport: Transport, service: string, name: string, request: Json): Promise<Outcome> {
    const desc = serviceOf(service);
    const method = desc.methods.find((candidate) => candidate.name === name);
    if (!method) throw new Error(`no method ${name}`);
    if (transport === 'gRPC') return send(platform.server, transport, desc, method, request);
    const rules = getOption(method, http).additionalBindings;
    const rule = rules.find(({ pattern }) => String(pattern.value).startsWith('/acme/voice/'));
    if (!rule) throw new Error(`${name} has no legacy path`);
    const verb = (rule.pattern.case ?? '').toUpperCase();
    const path = String(rule.pattern.value).replace(/\{([^}]+)\}/g, (_, field: string) =>
      encodeURIComponent(String(at(request, field))),
    );
    const query = verb === 'GET' ? `?${queryOf(request)}` : '';
    const answer = await platform.server.rest(verb, path + query, verb === 'GET' ? {} : { body: request });
    const status = (answer.body.status ?? {}) as Json;
    const faults = (status['fieldViolations'] ?? []) as { field: string }[];
    return {
      http: answer.status,
      code: String(status['statusCode'] ?? answer.status),
      fields: faults.map(({ field }) => field),
      violations: [],
      body: answer.body,
    };
  }

  const queryOf = (value: unknown, name = ''): string =>
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([member, inner]) => queryOf(inner, name ? `${name}.${member}` : member))
          .join('&')
      : `${name}=${encodeURIComponent(String(value))}`;

  describe.each(['gRPC', 'REST'] as const)('a foreign client over %s', (transport) => {
    it('enrolls and verifies a caller', async () => {
      const must = async (service: string, name: string, request: Json): Promise<Json> => {
        const { code, body } = await ask(transport, service, name, request);
        expect(code, `${name}: ${JSON.stringify(body)}`).toBe('OK');
        return body;
      };
      const scope = { gk_scope_id: { value: platform.gkScopeId }, configset_id: 'calls' };
      const engagement = await must('sessions.SessionsManager', 'StartEngagement', { context: scope });
      const session = await must('sessions.SessionsManager', 'StartSession', {
        context: { ...scope, gk_engagement_id: engagement['gkEngagementId'] },
        session_type: 'SESSION_TYPE_IVR',
      });
      const context = {
        ...scope,
        gk_engagement_id: engagement['gkEngagementId'],
        gk_session_id: session['gkSessionId'],
      };
      const owner = { person_id: `caller-${transport}`, tag: 'main' };
      const none = await must('voiceprint.VoiceprintsManager', 'GetGkVoiceprintProfileId', {
        context,
        owner,
      });
      expect(none['gkVoiceprintProfileId']).toBeUndefined();
      const made = await must('voiceprint.VoiceprintsManager', 'CreateVoiceprintProfile', { context, owner });
      const profile = { gk_voiceprint_profile_id: made['gkVoiceprintProfileId'] };
      const upload = async (index: number): Promise<Json> => {
        const { mediaUploadUrl, gkMediaSegmentId } = await must('audio.AudioManager', 'GetUploadUrl', {
          context,
          container: 'CONTAINER_WAV',
        });
        const bytes = new Uint8Array(utterance('anna', index));
        expect((await fetch(String(mediaUploadUrl), { method: 'PUT', body: bytes })).status).toBe(201);
        return { gk_media_segment_id: gkMediaSegmentId };
      };
      const processor = (name: string, request: Json) =>
        must('voiceprint.VoiceprintsProcessor', name, { context, ...request });
      for (const index of [1, 2, 3]) {
        const { result } = await processor('ProcessAudio', {
          ...(await upload(index)),
          is_for_enrollment: true,
        });
        const { gkProcessedAudioId } = result as Json;
        await processor('Enroll', { ...profile, gk_processed_audio_id: gkProcessedAudioId });
      }
      expect(await processor('GetEnrollStatus', profile)).toMatchObject({
        result: 'ENROLL_STATUS_TRAIN_POSSIBLE',
        isTrained: false,
      });
      await processor('Train', profile);
      expect(await processor('GetEnrollStatus', profile)).toMatchObject({ isTrained: true });
      const verified = await processor('Verify', { ...profile, ...(await upload(4)) });
      expect(verified['result']).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
      const decided = await must('sessions.SessionsManager', 'GetSessionDecision', { context });
      expect(decided['decision']).toBe('DECISION_AUTHENTIC');
      await must('sessions.SessionsManager', 'StopSession', { context });
      await must('sessions.SessionsManager', 'StopEngagement', { context });
    });

    it('is told of faults under the names it knows', async () => {
      const answer = await ask(transport, 'voiceprint.VoiceprintsProcessor', 'Verify', {
        gk_voiceprint_profile_id: { value: 'x' },
      });
      expect(answer.code).toBe('INVALID_REQUEST');
      const prefix = transport === 'REST' ? `${ROOT}.biosec.v1.voiceprint.VerifyRequest.` : '';
      expect(answer.fields).toContain(`${prefix}context.gk_scope_id`);
    });
  });

  it('reflection knows the services, the files and the paths by both names', async () => {
    const { service, request, response } = reflectionProtocol('v1');
    const client = new Client(platform.server.grpcAddress, credentials.createInsecure());
    const reflect = (messageRequest: Json) =>
      new Promise<Json>((resolve, reject) => {
        const stream = client.makeBidiStreamRequest(
          `/${service.typeName}/ServerReflectionInfo`,
          (value: Json) => Buffer.from(toBinary(request, create(request, value))),
          (bytes: Buffer) => fromBinary(response, bytes) as unknown as Json,
          new Metadata(),
        );
        stream.on('data', resolve);
        stream.on('error', reject);
        stream.write({ messageRequest });
        stream.end();
      });
    const answerOf = async (asked: string, value: string) =>
      ((await reflect({ case: asked, value }))['messageResponse'] as { value: Json }).value;
    const listed = (await answerOf('listServices', ''))['service'] as { name: string }[];
    const names = listed.map(({ name }) => name);
    for (const root of ['vendor', 'acme', ROOT])
      expect(names).toContain(`${root}.biosec.v1.voiceprint.VoiceprintsProcessor`);
    expect(names.filter((name) => name.startsWith('acme.') && name.includes('voxgate'))).toEqual([]);
    const described = await answerOf(
      'fileContainingSymbol',
      `${ROOT}.biosec.v1.voiceprint.VoiceprintsProcessor`,
    );
    const files = (described['fileDescriptorProto'] as Uint8Array[]).map((bytes) =>
      fromBinary(FileDescriptorProtoSchema, bytes),
    );
    expect(files[0]?.name).toBe('acme/voice/biosec/v1/voiceprint/processor.proto');
    expect(files.map(({ package: name }) => name)).toContain(`${ROOT}.rpc`);
    expect(JSON.stringify(files.map(({ name, dependency }) => [name, dependency]))).not.toContain('vendor/');
    // Everything that the files refer to is in them.
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...files].reverse() }));
    const renamed = registry.getService(`${ROOT}.biosec.v1.voiceprint.VoiceprintsProcessor`);
    const train = renamed?.methods.find(({ name }) => name === 'Train');
    const paths = train && getOption(train, http).additionalBindings.map(({ pattern }) => pattern.value);
    expect(paths?.[0]).toMatch(/^\/acme\/voice\/biosec\/v1\//);
    client.close();
  });

  it('an unknown root is refused as ever', async () => {
    const client = new Client(platform.server.grpcAddress, credentials.createInsecure());
    const code = await new Promise((resolve) => {
      const path = `/other.${VoiceprintsProcessor.typeName.split('.').slice(1).join('.')}/Train`;
      const same = (bytes: Buffer) => bytes;
      client.makeUnaryRequest(path, same, same, Buffer.alloc(0), new Metadata(), {}, (error) =>
        resolve(error?.code),
      );
    });
    client.close();
    expect(code).toBe(12);
    const answer = await platform.server.rest('POST', '/other/biosec/v1/voiceprints-profiles/identify', {
      body: {},
    });
    expect(answer.status).toBe(404);
  });
});

describe('compat.packageRoots', () => {
  it.each([
    ['Acme', /"Acme" is not the name of a package/],
    ['acme/voice', /is not the name of a package/],
    ['google', /google is taken/],
    ['vendor.more', /vendor.more is taken/],
  ])('%s is refused at the start', (value, fault) => {
    const flags = { home: join(tmpdir(), 'no-such-home'), 'compat.packageRoots': value };
    expect(() => loadConfig({ env: {}, flags })).toThrow(fault);
  });
});
