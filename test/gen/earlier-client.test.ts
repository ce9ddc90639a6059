// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- messages of descriptors that are read at run time have no types */
// A client that was generated from the contract of 0.2.0 (test/fixtures/README.md) works unchanged: the vendor's operations are called by
// its descriptors alone.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  createFileRegistry,
  fromBinary,
  fromJson,
  getOption,
  toJson,
  type DescMethod,
  type DescService,
  type JsonObject,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import { Platform, utterance } from '../biometrics/support.js';
import { contractFiles } from './contract-files.js';

const ROOT = join(import.meta.dirname, '..', '..');
const EARLIER = 'test/fixtures/vendor-0.2.0.binpb.gz';
const OPERATIONS = 109;

const registry = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, gunzipSync(readFileSync(join(ROOT, EARLIER)))),
);
const services = [...registry].filter((each) => each.kind === 'service');
const methods = services.flatMap((service) => service.methods);

let platform: Platform;
let asked: Record<string, (request: object) => Promise<any>>;

beforeAll(async () => {
  platform = await Platform.start();
  const clients = services.map((service: DescService) => platform.server.grpc(service));
  asked = Object.assign({}, ...clients) as typeof asked;
});
afterAll(() => platform.stop());

const bindingOf = (method: DescMethod): unknown => {
  const { pattern, body, additionalBindings } = getOption(method, http);
  return { pattern, body, more: additionalBindings.map((each) => [each.pattern, each.body]) };
};

it('finds nothing broken in the contract of today', () => {
  const buf = join(ROOT, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf');
  const { status, stdout, stderr } = spawnSync(process.execPath, [buf, 'breaking', '--against', EARLIER], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
  const today = contractFiles.flatMap((file) => file.services).flatMap((service) => service.methods);
  for (const method of methods) {
    const same = today.find(
      (each) => each.parent.typeName === method.parent.typeName && each.name === method.name,
    );
    expect([method.name, same && bindingOf(same)]).toEqual([method.name, bindingOf(method)]);
  }
});

it('is answered by every operation it has', async () => {
  const unary = methods.filter(({ methodKind }) => methodKind === 'unary');
  expect(unary).toHaveLength(OPERATIONS);
  for (const method of unary) {
    const answer = await asked[method.localName]?.({});
    expect([method.name, answer.status?.statusCode]).toEqual([method.name, expect.any(Number)]);
    expect([method.name, answer.$unknown]).toEqual([method.name, undefined]);
  }
});

it('enrolls and verifies a voice, and reads the same over REST', async () => {
  const call = async (name: string, request: JsonObject): Promise<any> => {
    const method = methodOf(name);
    const answer = await asked[method.localName]?.(fromJson(method.input, request));
    const { status, ...rest } = toJson(method.output, answer) as any;
    expect([name, status.statusCode]).toEqual([name, 'OK']);
    return rest;
  };
  const scope = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
  const session = await call('StartSession', { context: scope, sessionType: 2 });
  const { gkSessionId, gkEngagementId } = session;
  const context = { ...scope, gkSessionId, gkEngagementId };
  const recorded = async (index: number): Promise<JsonObject> => {
    const { mediaUploadUrl, gkMediaSegmentId } = await call('GetUploadUrl', {
      context,
      container: 'CONTAINER_WAV',
    });
    const put = await fetch(mediaUploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wave' },
      body: new Uint8Array(utterance('anna', index)),
    });
    expect(put.status).toBe(201);
    return gkMediaSegmentId;
  };
  await call('CreatePerson', { context, personId: 'anna' });
  const owner = { personId: 'anna', tag: 'main' };
  const { gkVoiceprintProfileId } = await call('CreateVoiceprintProfile', { context, owner });
  for (const index of [1, 2, 3]) {
    const gkMediaSegmentId = await recorded(index);
    const processed = await call('ProcessAudio', { context, gkMediaSegmentId, isForEnrollment: true });
    const { gkProcessedAudioId } = processed.result;
    await call('Enroll', { context, gkVoiceprintProfileId, gkProcessedAudioId });
  }
  await call('Train', { context, gkVoiceprintProfileId });
  const gkMediaSegmentId = await recorded(4);
  const { result } = await call('Verify', { context, gkVoiceprintProfileId, gkMediaSegmentId });
  expect(result.decision).toBe('DECISION_AUTHENTIC');

  const rest = await platform.server.rest('GET', `/v1/sessions/decision?${platform.query(context)}`);
  const { output } = methodOf('GetSessionDecision');
  // A field or value that 0.2.0 did not know would be refused here.
  const { status: _, ...read } = toJson(output, fromJson(output, rest.body)) as any;
  expect(read).toEqual(await call('GetSessionDecision', { context }));
});

function methodOf(name: string): DescMethod {
  const method = methods.find((each) => each.name === name);
  if (method === undefined) throw new Error(`0.2.0 had no ${name}`);
  return method;
}
