// The management plane: applications, users, the engagement API with its manager, the event log, the system itself.
import { hostname } from 'node:os';
import { namingWhoChanged } from '../audit/last-change.js';
import type { JsonObject } from '../audit/model.js';
import { actorNames } from '../auth/actor-names.js';
import { getEnvironment } from '../auth/get-environment.js';
import type { Auth } from '../auth/create.js';
import { requireReader } from '../auth/permissions.js';
import { factoryRevisionId } from '../biometrics/calibration/active.js';
import type { EngagementDeps } from '../engagement-api/deps.js';
import type { EventStore } from '../events/ports.js';
import type { EventsDeps } from '../events/reading.js';
import { isObject } from '../errors.js';
import type { Clock } from '../platform.js';
import { engagementStore } from '../storage/engagement/engagement-store.js';
import { SYSTEM_TENANT_KEY } from '../storage/sealing/keyring.js';
import { listKeyVersions } from '../storage/sealing/list-keys.js';
import { tenantsOf } from '../storage/tenants/tenants-store.js';
import { MetricsHistory } from '../transport/metrics-history.js';
import { registerEngagementRoutes } from '../transport/routes/engagement.js';
import { applicationsService } from '../transport/services/management/applications.js';
import { engagementService } from '../transport/services/management/engagement.js';
import { eventLogService } from '../transport/services/management/events.js';
import { secondFactorsService } from '../transport/services/management/factors.js';
import { systemService, type SystemKey, type SystemModel } from '../transport/services/management/system.js';
import { usersService } from '../transport/services/management/users.js';
import type { VoiceEngine } from '../voice/engine.js';
import type { Events } from './events.js';
import { answerOf } from '../transport/readiness.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';
import { programVersion } from './version.js';

interface ManagementNeeds {
  storage: Storage;
  auth: Auth;
  events: Events;
  /** Where there is one, its models are shown. */
  engine?: Pick<VoiceEngine, 'model' | 'detectors'> & Partial<Pick<VoiceEngine, 'stats'>>;
  /** All parts, asked when somebody wants to know whether they are well. */
  parts: () => readonly Part[];
}

export function openEngagement(
  core: Pick<Core, 'clock'>,
  storage: Pick<Storage, 'database' | 'audit'>,
): EngagementDeps {
  const tenants = tenantsOf(storage.database, core.clock);
  return {
    store: engagementStore(storage),
    clock: core.clock,
    tenantExists: (tenantId) => tenants.exists(tenantId),
  };
}

/** Readers of the event log see the applications that they belong to. */
export function readingEvents(
  { clock }: Pick<Core, 'clock'>,
  auth: Auth,
  store: EventStore,
): EventsDeps & { clock: Clock } {
  return {
    store,
    clock,
    requireVisible: async (call, appId) => {
      const { applicationId } = await getEnvironment(auth, call, { appId });
      await requireReader(auth, call, applicationId);
    },
  };
}

const camelName = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `site.time_zone` is `timeZone` there. */
function hasChanged({ changed }: JsonObject, fields: readonly string[]): boolean {
  const names = new Set(fields.map((field) => camelName(field.split('.').at(-1) ?? '')));
  return Array.isArray(changed) && changed.some((name) => names.has(String(name)));
}

const hasIds = (detail: JsonObject, ids: Readonly<Record<string, string>>): boolean =>
  Object.entries(ids).every(([name, id]) => detail[name] === id);

/** Whether a record of auth's tells of a change of this. */
const isFact = ({ after }: JsonObject, fact = ''): boolean => isObject(after) && Object.hasOwn(after, fact);

export function composeManagement(core: Core, needs: ManagementNeeds): Part {
  const { storage, auth, events } = needs;
  const engagement = openEngagement(core, storage);
  const tenants = tenantsOf(storage.database, core.clock);
  const history = new MetricsHistory(core.clock, () => needs.engine?.stats?.().queued ?? 0);
  const trail = { audit: storage.audit, actors: actorNames(auth) };
  const deps = {
    auth,
    engagement,
    namingChangeOf: <T>(subjectId: string, facts: Readonly<Record<string, string>>, work: () => Promise<T>) =>
      namingWhoChanged(
        trail,
        { subjectId, isIt: ({ detail }, fields) => fields.some((field) => isFact(detail, facts[field])) },
        work,
      ),
    naming: <T>(operation: string, ids: Readonly<Record<string, string>>, work: () => Promise<T>) =>
      namingWhoChanged(
        trail,
        {
          operations: [operation],
          isIt: ({ detail }, fields) => hasIds(detail, ids) && hasChanged(detail, fields),
        },
        work,
      ),
    lastTokenAtMs: (ids: readonly string[]) => events.store.lastTokenAtMs(ids),
    scopeExists: (gkScopeId: string) => tenants.exists(gkScopeId),
    mediaDays: core.config.retention.mediaDays,
  };
  return {
    bindings: [
      applicationsService(deps),
      usersService(deps),
      secondFactorsService(deps),
      engagementService(deps),
      eventLogService(readingEvents(core, auth, events.store)),
      systemService({
        auth,
        audit: storage.audit,
        history,
        version: programVersion(),
        startedAtMs: core.clock.now(),
        node: `${hostname()}/${process.pid}`,
        database: storage.database.dialect,
        models: async () => (needs.engine ? modelsOf(needs.engine) : []),
        sealingKeys: () => sealingKeys(storage),
        components: () => checkParts(needs.parts()),
      }),
    ],
    routes: [(http) => registerEngagementRoutes(http, { auth, engagement })],
    onCall: (call) => history.record(call),
  };
}

function modelsOf({ model, detectors }: Pick<VoiceEngine, 'model' | 'detectors'>): SystemModel[] {
  const thresholds = model.thresholds.map((each) => [
    `llr_at_false_accept_rate_${each.far}`,
    each.llr.toFixed(3),
  ]);
  const found: SystemModel[] = [
    {
      ...nameAndRevision(model.revision),
      kind: 'speaker',
      calibrationRevision: factoryRevisionId(model.revision, model.calibrationRevision),
      facts: { dimension: String(model.dim), ...Object.fromEntries(thresholds) },
    },
  ];
  for (const [kind, detector] of [
    ['synthetic-speech', detectors.synthetic],
    ['channel-playback', detectors.playback],
  ] as const) {
    if (detector)
      found.push({
        ...nameAndRevision(detector.revision),
        kind,
        calibrationRevision: '',
        facts: detector.experimental ? { experimental: 'true' } : {},
      });
  }
  return found;
}

/** A model folder is called `<name>-<revision>`. */
function nameAndRevision(folder: string): { name: string; revision: string } {
  const dash = folder.lastIndexOf('-');
  return dash < 0
    ? { name: folder, revision: '' }
    : { name: folder.slice(0, dash), revision: folder.slice(dash + 1) };
}

async function checkParts(parts: readonly Part[]): Promise<{ name: string; ok: boolean; message: string }[]> {
  const checks = parts.flatMap((part) => part.readiness ?? []);
  return Promise.all(
    checks.map(async (check) => {
      const answer = await answerOf(check);
      const ok = answer === true;
      return { name: check.name, ok, message: ok ? '' : answer === false ? 'does not answer' : answer };
    }),
  );
}

/** Keys of the installation's own content; those of tenants are as many as there are tenants. */
async function sealingKeys({ database, keyring }: Storage): Promise<SystemKey[]> {
  const versions = await listKeyVersions(database, SYSTEM_TENANT_KEY);
  const newest = versions.at(-1)?.version;
  const master = await keyring.master(database.db);
  return versions.map(({ version, createdAtMs, isDestroyed }) => ({
    keyId: `${master.id}/${SYSTEM_TENANT_KEY}/${version}`,
    state: isDestroyed ? 'retired' : version === newest ? 'active' : 'retiring',
    algorithm: 'AES-256-GCM',
    createdAtMs,
  }));
}
