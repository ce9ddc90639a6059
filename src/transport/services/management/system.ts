// SystemManager: what the installation is made of, whether its parts are well, how much it does, and the rotation of
// signing keys. Models and health come from whoever composes the server.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationMs } from '@bufbuild/protobuf/wkt';
import type { SigningAlgorithm } from '../../../auth/model.js';
import { isAdministrator, requireAdministrator } from '../../../auth/permissions.js';
import { rotateSigningKey } from '../../../auth/tokens/rotate-signing-key.js';
import { invalidFields } from '../../../errors.js';
import {
  Health,
  KeyPurpose,
  KeyState,
  ModelKind,
  SystemManager,
  type KeyInfoSchema,
} from '../../../gen/voxgate/management/v1/system_pb.js';
import { seriesNames, type MetricsHistory } from '../../metrics-history.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { systemAuditHandlers, type SystemAuditDeps } from './system-audit.js';
import { managementAccess, msOf, time, timeField } from './shared.js';
import { say } from '../../../words/server/say.js';

export interface SystemModel {
  name: string;
  revision: string;
  kind: 'speaker' | 'voice-activity' | 'synthetic-speech' | 'channel-playback';
  sha256?: string;
  /** Revision of the calibration in force. */
  calibrationRevision: string;
  facts: Readonly<Record<string, string>>;
}

export interface SystemKey {
  keyId: string;
  state: 'active' | 'retiring' | 'retired';
  algorithm: string;
  createdAtMs: number;
}

interface SystemDeps extends SystemAuditDeps {
  history: MetricsHistory;
  version: string;
  startedAtMs: number;
  node: string;
  database: 'sqlite' | 'postgres';
  models(): Promise<readonly SystemModel[]>;
  sealingKeys(): Promise<readonly SystemKey[]>;
  components(): Promise<readonly { name: string; ok: boolean; message: string }[]>;
}

const HOUR_MS = 3600_000;
const modelKinds = {
  speaker: ModelKind.SPEAKER,
  'voice-activity': ModelKind.VOICE_ACTIVITY,
  'synthetic-speech': ModelKind.SYNTHETIC_SPEECH,
  'channel-playback': ModelKind.CHANNEL_PLAYBACK,
};
const keyStates = { active: KeyState.ACTIVE, retiring: KeyState.RETIRING, retired: KeyState.RETIRED };

export function systemService(deps: SystemDeps): ServiceBinding {
  return bindService(SystemManager, managementAccess, {
    ...systemAuditHandlers(deps),
    getSystemInfo: async (call) => ({
      version: deps.version,
      startTimestamp: time(deps.startedAtMs),
      node: deps.node,
      database: deps.database,
      models: (await deps.models()).map(
        ({ name, revision, kind, sha256 = '', calibrationRevision, facts }) => ({
          name,
          revision,
          kind: modelKinds[kind],
          sha256,
          gkCalibrationModelRevisionId: calibrationRevision,
          facts: { ...facts },
        }),
      ),
      // Which keys there are is for those who look after them.
      keys: isAdministrator(call) ? [...(await signingKeys(deps)), ...(await sealingKeys(deps))] : [],
      components: (await deps.components()).map(({ name, ok, message }) => ({
        name,
        health: ok ? Health.OK : Health.DOWN,
        message,
      })),
    }),
    getMetricsHistory: async (call, request) => {
      requireAdministrator(call);
      const nowMs = deps.auth.clock.now();
      const toMs = msOf(request.endTime) ?? nowMs;
      const fromMs = msOf(request.startTime) ?? toMs - HOUR_MS;
      const stepMs = request.step && durationMs(request.step);
      const unknownName = request.names.find((name) => !seriesNames.includes(name));
      if (unknownName !== undefined) {
        throw invalidFields([
          {
            field: 'names',
            violation: 'INVALID_FORMAT',
            ...say('NOT_ONE_OF', { known: seriesNames.join(', ') }),
            value: unknownName.slice(0, 64),
          },
        ]);
      }
      if (fromMs >= toMs)
        throw invalidFields([{ field: 'start_time', violation: 'OUT_OF_RANGE', ...say('NOT_BEFORE_END') }]);
      if (stepMs !== undefined && stepMs <= 0) {
        throw invalidFields([{ field: 'step', violation: 'OUT_OF_RANGE', ...say('NOT_ABOVE_ZERO') }]);
      }
      const series = deps.history.read({
        names: request.names,
        fromMs,
        toMs,
        stepMs,
        summaryOnly: request.summaryOnly,
      });
      return {
        series: series.map(({ name, unit, operation, points }) => ({
          name,
          unit,
          labels: operation === undefined ? {} : { operation },
          points: points.map(({ atMs, value }) => ({ time: time(atMs), value })),
        })),
      };
    },
    rotateSigningKey: async (call, { algorithm, compromised }) => {
      const { unconfirmed } = await rotateSigningKey(deps.auth, call, {
        compromised,
        ...(algorithm === '' ? {} : { algorithm: toAlgorithm(algorithm) }),
      });
      return { keys: await signingKeys(deps), unconfirmedServers: [...unconfirmed] };
    },
  });
}

async function signingKeys({ auth }: SystemDeps): Promise<MessageInitShape<typeof KeyInfoSchema>[]> {
  const nowMs = auth.clock.now();
  const current = auth.keys.hasCurrent() ? auth.keys.current().kid : undefined;
  return (await auth.store.direct.signingKeys.list()).map((key) => ({
    keyId: key.kid,
    purpose: KeyPurpose.SIGNING,
    state: signingState(key, nowMs, current),
    algorithm: key.algorithm,
    creationTimestamp: time(key.createdAtMs),
    ...timeField('notAfterTimestamp', key.expiresAtMs),
  }));
}

function signingState(
  key: { kid: string; activeFromMs: number; expiresAtMs: number | undefined },
  nowMs: number,
  current: string | undefined,
): KeyState {
  if (key.expiresAtMs !== undefined && key.expiresAtMs <= nowMs) return KeyState.RETIRED;
  if (key.kid === current) return KeyState.ACTIVE;
  return key.activeFromMs > nowMs ? KeyState.PENDING : KeyState.RETIRING;
}

async function sealingKeys(deps: SystemDeps): Promise<MessageInitShape<typeof KeyInfoSchema>[]> {
  return (await deps.sealingKeys()).map(({ keyId, state, algorithm, createdAtMs }) => ({
    keyId,
    purpose: KeyPurpose.SEALING,
    state: keyStates[state],
    algorithm,
    creationTimestamp: time(createdAtMs),
  }));
}

function toAlgorithm(name: string): SigningAlgorithm {
  if (name === 'ES256' || name === 'EdDSA') return name;
  throw invalidFields([
    {
      field: 'algorithm',
      violation: 'INVALID_FORMAT',
      ...say('NOT_A_SIGNING_ALGORITHM'),
      value: name.slice(0, 16),
    },
  ]);
}
