// SystemManager from outside: what the server says about itself, its charts, and key rotation.
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import {
  Health,
  KeyPurpose,
  KeyState,
  ModelKind,
  SystemManager,
} from '../../src/gen/voxgate/management/v1/system_pb.js';
import { MetricsHistory } from '../../src/transport/metrics-history.js';
import type { GrpcClient } from '../support/server.js';
import { startManagementServer, type ManagementServer } from './support.js';

let server: ManagementServer;
let grpc: GrpcClient<typeof SystemManager>;
let admin: { token: string };
let member: { token: string };

beforeAll(async () => {
  server = await startManagementServer();
  grpc = server.grpc(SystemManager);
  admin = await server.person('admin', 'administrator');
  member = await server.person('member', 'member');
});
afterAll(() => server.stop());

describe('the system', () => {
  it('tells its version, database, keys and health to administrators; no keys to others', async () => {
    const info = await grpc.getSystemInfo({}, { token: admin.token });
    expect(info).toMatchObject({ version: expect.stringMatching(/^\d+\./), database: 'sqlite' });
    expect(info.models).toMatchObject([
      { name: 'voice-model', revision: '7', kind: ModelKind.SPEAKER, facts: { dimension: '4' } },
    ]);
    expect(info.models[0]?.gkCalibrationModelRevisionId).not.toBe('');
    expect(info.components).toMatchObject([{ name: 'database', health: Health.OK }]);
    expect(info.keys.some((key) => key.purpose === KeyPurpose.SIGNING && key.state === KeyState.ACTIVE)).toBe(
      true,
    );
    expect(info.keys.some((key) => key.purpose === KeyPurpose.SEALING && key.state === KeyState.ACTIVE)).toBe(
      true,
    );
    const seen = await server.rest('GET', '/v1/management/system', { token: member.token });
    expect(seen.status).toBe(200);
    expect(seen.body.keys).toBeUndefined();
  });

  it('rotates the signing key: the new one is published before it signs, tokens stay good', async () => {
    const rotated = await server.rest('POST', '/v1/management/system/signing-keys/rotate', {
      token: admin.token,
      body: { algorithm: 'EdDSA' },
    });
    expect(rotated.status).toBe(200);
    expect(
      rotated.body.keys
        .map((key: { state: string; algorithm: string }) => `${key.algorithm} ${key.state}`)
        .sort(),
    ).toEqual(['ES256 KEY_STATE_ACTIVE', 'EdDSA KEY_STATE_PENDING']);
    expect((await grpc.getSystemInfo({}, { token: admin.token })).status?.statusCode).toBe(StatusCode.OK);
    expect(
      (await grpc.rotateSigningKey({ algorithm: 'none' }, { token: admin.token })).status?.statusCode,
    ).toBe(StatusCode.INVALID_REQUEST);
    expect((await grpc.rotateSigningKey({}, { token: member.token })).status?.statusCode).toBe(
      StatusCode.PERMISSION_DENIED,
    );
  });

  it('draws calls and latency of the last hour, as a whole and by operation', async () => {
    await grpc.getSystemInfo({}, { token: admin.token });
    const all = await grpc.getMetricsHistory({}, { token: admin.token });
    const whole = all.series.find(
      (each) => each.name === 'calls_per_second' && Object.keys(each.labels).length === 0,
    );
    expect(whole?.points.reduce((sum, point) => sum + point.value * 10, 0)).toBeGreaterThanOrEqual(1);
    const operation = all.series.filter(
      (each) => each.labels['operation'] === 'voxgate.management.v1.SystemManager/GetSystemInfo',
    );
    expect(operation.map((each) => each.name).sort()).toEqual([
      'calls_per_second',
      'errors_per_second',
      'latency_p50_ms',
      'latency_p95_ms',
      'latency_p99_ms',
    ]);
    const one = await server.rest('GET', '/v1/management/system/metrics?names=latency_p95_ms&step=60s', {
      token: admin.token,
    });
    expect(new Set(one.body.series.map((each: { name: string }) => each.name))).toEqual(
      new Set(['latency_p95_ms']),
    );
    const summary = await grpc.getMetricsHistory({ summaryOnly: true }, { token: admin.token });
    expect(summary.series.length).toBeGreaterThan(4);
    expect(summary.series.flatMap(({ labels }) => Object.keys(labels))).toEqual([]);
    expect(
      (await server.rest('GET', '/v1/management/system/metrics?names=nonsense', { token: admin.token }))
        .status,
    ).toBe(400);
    const now = Date.now();
    const backwards = await grpc.getMetricsHistory(
      { startTime: timestampFromMs(now), endTime: timestampFromMs(now - 1) },
      { token: admin.token },
    );
    expect(backwards.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
  });
});

describe('the history of metrics', () => {
  const call = { service: 'S', method: 'M', code: 'OK', elapsedMs: 4 };
  const start = Math.floor(1_800_000_000_000 / 300_000) * 300_000;

  it('has the last hour in fine steps, also for a question that took a moment to arrive', () => {
    let now = start;
    const history = new MetricsHistory({ now: () => now });
    history.record(call);
    now += 3_600_000;
    const query = { names: ['calls_per_second'], fromMs: start, toMs: now, stepMs: undefined };
    now += 5;
    const [whole] = history.read(query);
    expect(whole?.points[1]?.atMs).toBe(start + 10_000);
  });

  it('counts calls and errors per step and leaves latency out where nothing was called', () => {
    let now = start;
    const history = new MetricsHistory({ now: () => now });
    for (let index = 0; index < 20; index += 1) history.record(call);
    history.record({ ...call, code: 'BUSY' });
    now += 20_000;
    const series = history.read({ names: [], fromMs: start, toMs: start + 30_000, stepMs: undefined });
    const of = (name: string) =>
      series
        .find((each) => each.name === name && each.operation === 'S/M')
        ?.points.map((point) => point.value);
    expect(of('calls_per_second')).toEqual([2.1, 0, 0]);
    expect(of('errors_per_second')).toEqual([0.1, 0, 0]);
    expect(of('latency_p50_ms')).toHaveLength(1);
    expect(of('latency_p50_ms')?.[0]).toBeGreaterThan(3);
    expect(of('latency_p50_ms')?.[0]).toBeLessThanOrEqual(5);
  });

  it('remembers the longest queue of a step, of the whole server only', () => {
    let queued = 0;
    const history = new MetricsHistory({ now: () => start }, () => queued);
    for (queued of [2, 7, 1]) history.record(call);
    const series = history.read({
      names: ['queue_length'],
      fromMs: start,
      toMs: start + 20_000,
      stepMs: 20_000,
    });
    expect(series.map(({ operation, points }) => [operation, points.map(({ value }) => value)])).toEqual([
      [undefined, [7]],
    ]);
  });

  it('keeps an hour finely and a day coarsely, and no more', () => {
    let now = start;
    const history = new MetricsHistory({ now: () => now });
    history.record(call);
    now += 2 * 3600_000;
    history.record(call);
    const callsBetween = (fromMs: number, toMs: number) =>
      history
        .read({ names: ['calls_per_second'], fromMs, toMs, stepMs: undefined })
        .filter((each) => each.operation === undefined)
        .flatMap((each) => each.points)
        .reduce((sum, point) => sum + point.value * 300, 0);
    expect(callsBetween(start, now + 1)).toBe(2);
    now += 23 * 3600_000;
    history.record(call);
    expect(callsBetween(start, now + 1)).toBe(2);
  });
});
