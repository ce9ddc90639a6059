// What operators start Voxgate with: the chart renders to what Kubernetes expects, runs with the fewest rights, takes secrets by
// reference only; and whatever names a setting or a metric names one that exists.
import { mkdirSync, readFileSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hostPortOf } from '../../src/config/read-text.js';
import { describeSettings } from '../../src/config.js';
import { renderChart, renderNotes, type Manifest } from '../support/helm.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { temporaryFolder } from '../support/storage.js';

const ROOT = join(import.meta.dirname, '..', '..');
const CHART = join(ROOT, 'deploy', 'helm', 'voxgate');
const textOf = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

const LINES_DROPPED = 'voxgate_log_lines_dropped_total';

const everything = {
  publicUrl: 'https://voice.example',
  settings: { retention: { mediaDays: 30 } },
  media: { store: 's3://calls/eu', endpoint: 'https://s3.example', region: 'eu-1', existingSecret: 'bucket' },
  autoscaling: { enabled: true },
  ingress: { enabled: true, host: 'voice.example', className: 'nginx', tlsSecret: 'voice-tls' },
  tls: { existingSecret: 'inner-tls' },
  extraEnv: [
    { name: 'VOXGATE_SIEM_TOKEN', valueFrom: { secretKeyRef: { name: 'siem', key: 'token' } } },
    { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.crt' },
  ],
  extraVolumes: [{ name: 'ca', configMap: { name: 'own-ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
  nodeSelector: { pool: 'voice' },
  tolerations: [{ key: 'voice', operator: 'Exists' }],
  networkPolicy: { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
  metrics: {
    existingSecret: 'scrape',
    serviceMonitor: { enabled: true, labels: { team: 'voice' } },
    alerts: { enabled: true },
  },
  podAnnotations: { note: 'x' },
};

const variants: [string, Record<string, unknown>][] = [
  ['as it comes', {}],
  ['with everything', everything],
];

interface EnvironmentEntry {
  name: string;
  value?: string;
  valueFrom?: object;
}

const podOf = ({ spec }: Manifest) => spec.template.spec;
const podsIn = (manifests: readonly Manifest[]) => manifests.filter(({ spec }) => spec?.template?.spec);
const environmentOf = (manifest: Manifest): EnvironmentEntry[] => podOf(manifest).containers[0].env;
const named = (manifests: readonly Manifest[], kind: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

describe('the chart', () => {
  it('makes what is needed, and more where it is asked for', () => {
    const kinds = (values: object) =>
      renderChart(CHART, { ...values })
        .map(({ kind }) => kind)
        .sort();
    const always = [
      'ConfigMap',
      'ConfigMap',
      'Deployment',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ];
    expect(kinds({})).toEqual([...always, 'ServiceAccount'].sort());
    const asked = ['HorizontalPodAutoscaler', 'Ingress', 'PrometheusRule', 'ServiceMonitor'];
    expect(kinds(everything)).toEqual([...always, 'ServiceAccount', ...asked].sort());
    const off = { enabled: false };
    expect(
      kinds({ migration: off, disruptionBudget: off, networkPolicy: off, serviceAccount: { create: false } }),
    ).toEqual(['ConfigMap', 'Deployment', 'Service']);
  });

  describe.each(variants)('%s', (_name, values) => {
    const manifests = renderChart(CHART, values);

    it('runs as nobody in particular, on a root that cannot be written', () => {
      for (const manifest of podsIn(manifests)) {
        const pod = podOf(manifest);
        expect(pod.automountServiceAccountToken).toBe(false);
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        for (const container of pod.containers)
          expect(container.securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
      }
      expect(podsIn(manifests)).toHaveLength(2);
    });

    it('takes secrets by reference only, and sets only settings that exist', () => {
      const known = describeSettings();
      const secrets = known.filter(({ type }) => type === 'secret text').map(({ env }) => env);
      for (const manifest of podsIn(manifests))
        for (const { name, value } of environmentOf(manifest)) {
          expect([...known.map(({ env }) => env), 'VOXGATE_CONFIG', 'NODE_EXTRA_CA_CERTS']).toContain(name);
          if (secrets.includes(name) || name === 'VOXGATE_DATABASE')
            expect([name, value]).toEqual([name, undefined]);
        }
      expect(environmentOf(named(manifests, 'Job')).map(({ name }) => name)).toContain('VOXGATE_DATABASE');
    });

    it('selects its own pods, and nothing selects those of the migration', () => {
      const labels = named(manifests, 'Deployment').spec.template.metadata.labels as Record<string, string>;
      const selectors = [
        named(manifests, 'Deployment').spec.selector.matchLabels,
        named(manifests, 'Service').spec.selector,
        named(manifests, 'PodDisruptionBudget').spec.selector.matchLabels,
        named(manifests, 'NetworkPolicy').spec.podSelector.matchLabels,
      ] as Record<string, string>[];
      const job = named(manifests, 'Job').spec.template.metadata.labels as Record<string, string>;
      for (const selector of selectors) {
        expect(labels).toMatchObject(selector);
        expect(job).not.toMatchObject(selector);
      }
    });
  });

  it.each([
    ['as it comes', {}, '0.0.0.0'],
    ['on IPv4 alone', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] }, '0.0.0.0'],
    ['on IPv6 alone', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'] }, '[::]'],
    ['on both', { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] }, '[::]'],
    ['on both where there are both', { ipFamilyPolicy: 'PreferDualStack' }, '[::]'],
  ])('listens where the service is reached: %s', (_name, service, host) => {
    const manifests = renderChart(CHART, { ...everything, service });
    const { ports: _ports, selector: _selector, type: _type, ...families } = named(manifests, 'Service').spec;
    expect(families).toEqual(service);
    const listens = environmentOf(named(manifests, 'Deployment')).flatMap(({ name, value = '' }) =>
      /_(ADDRESS|LISTEN)$/.test(name) ? value : [],
    );
    expect(listens).toEqual([8080, 8081, 9090].map((port) => `${host}:${port}`));
    for (const listen of listens) expect(hostPortOf(listen)).toBeDefined();
  });

  it('asks for health where the server answers it, in its own scheme', () => {
    const probesOf = (values: object) => {
      const [container] = podOf(named(renderChart(CHART, { ...values }), 'Deployment')).containers;
      return [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
        ({ httpGet }) => `${httpGet.scheme} ${httpGet.path}`,
      );
    };
    expect(probesOf({})).toEqual(['HTTP /healthz', 'HTTP /healthz', 'HTTP /readyz']);
    expect(probesOf(everything)[2]).toBe('HTTPS /readyz');
  });

  it('migrates before the nodes, scales by the voice queue, and rolls out when settings change', () => {
    const manifests = renderChart(CHART, everything);
    expect(named(manifests, 'Job').metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    });
    const autoscaler = named(manifests, 'HorizontalPodAutoscaler');
    expect(autoscaler.spec.metrics[0].pods.metric.name).toBe('voxgate_engine_queue_length');
    const deployment = named(manifests, 'Deployment');
    expect(deployment.spec).not.toHaveProperty('replicas');
    expect(JSON.parse(named(manifests, 'ConfigMap')['data']['config.json'])).toEqual(everything.settings);
    const checksum = (settings: object) =>
      named(renderChart(CHART, { settings }), 'Deployment').spec.template.metadata.annotations[
        'checksum/settings'
      ] as string;
    expect(checksum({ a: 1 })).not.toBe(checksum({ a: 2 }));
    expect(named(manifests, 'PrometheusRule').spec.groups[0].name).toBe('voxgate');
  });

  it('gives the migration what the nodes have: settings, secrets, certificates, place and resources', () => {
    const manifests = renderChart(CHART, everything);
    const [job, nodes] = [podOf(named(manifests, 'Job')), podOf(named(manifests, 'Deployment'))];
    const own = /^VOXGATE_(HTTP_ADDRESS|GRPC_ADDRESS|METRICS_\w+|PUBLIC_URL)$/;
    const shared = environmentOf(named(manifests, 'Deployment')).filter(({ name }) => !own.test(name));
    expect(job.containers[0].env).toEqual(shared);
    expect(shared.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['VOXGATE_CONFIG', 'VOXGATE_TLS_KEY', 'NODE_EXTRA_CA_CERTS']),
    );
    for (const what of ['resources', 'volumeMounts'])
      expect(job.containers[0][what]).toEqual(nodes.containers[0][what]);
    for (const what of ['nodeSelector', 'tolerations', 'affinity']) expect(job[what]).toEqual(nodes[what]);
    const volumesOf = (pod: typeof job) => (pod.volumes as { name: string }[]).map(({ name }) => name).sort();
    expect(volumesOf(job)).toEqual(volumesOf(nodes));
    expect(volumesOf(job)).toEqual(
      nodes.containers[0].volumeMounts.map(({ name }: { name: string }) => name).sort(),
    );
    // Before an installation there is nothing of the chart but what its hooks bring.
    const settings = job.volumes.find(({ name }: { name: string }) => name === 'settings').configMap.name;
    const brought = manifests.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === settings,
    );
    expect(brought?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-1',
    });
    expect(brought?.['data']).toEqual(named(manifests, 'ConfigMap')['data']);
  });

  it('checks values, and warns where recordings are not shared', () => {
    const schema = JSON.parse(textOf('deploy/helm/voxgate/values.schema.json')) as object;
    const isValid = new Ajv().compile(schema);
    const values = parse(textOf('deploy/helm/voxgate/values.yaml')) as Record<string, unknown>;
    expect(isValid(values)).toBe(true);
    expect(isValid({ ...values, database: { existingSecret: '', key: 'url' } })).toBe(false);
    expect(isValid({ ...values, media: { store: '/var/recordings' } })).toBe(false);
    expect(renderNotes(CHART)).toContain('RECORDINGS ARE NOT SHARED');
    expect(renderNotes(CHART, everything)).not.toContain('RECORDINGS ARE NOT SHARED');
  });
});

describe('alerts and dashboard', () => {
  let server: TestServer;
  let known: Set<string>;
  beforeAll(async () => {
    server = await startTestServer({ config: { 'siem.url': 'https://127.0.0.1:1' } });
    const { body } = await server.rest('GET', '/metrics');
    const names = [...String(body).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    // A server on SQLite has no other clock.
    for (const [, name = ''] of textOf('src/compose/clock-watch.ts').matchAll(/name: '(voxgate_\w+)'/g))
      names.push(name);
    // The log of a test server is not its own, and so not counted.
    if (textOf('src/app.ts').includes(`'${LINES_DROPPED}'`)) names.push(LINES_DROPPED);
    known = new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));
  });
  afterAll(() => server.stop());

  const metricsIn = (expression: string): string[] =>
    expression.match(/\b(?:voxgate|process|nodejs)_[a-z0-9_]+/g) ?? [];

  interface Rule {
    alert: string;
    expr: string;
    labels: { severity: string };
    annotations: Record<string, string>;
  }
  const alerts = parse(textOf('deploy/helm/voxgate/alerts.yaml')) as { groups: { rules: Rule[] }[] };
  const rules = alerts.groups.flatMap((group) => group.rules);

  it('are raised when all nodes are away, and each is told what to do about', () => {
    const critical = rules.filter(({ labels }) => labels.severity === 'critical').map(({ expr }) => expr);
    expect(critical).toEqual(
      expect.arrayContaining([
        'absent(voxgate_ready)',
        'sum by (job, namespace, service) (voxgate_ready) == 0',
      ]),
    );
    const guide = textOf('docs/guides/health-and-alerts.md');
    const told = [...guide.matchAll(/^\| `(Voxgate\w+)` \|/gm)].map(([, name]) => name);
    expect(told.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('know whether the server is ready, and by which check', async () => {
    await server.rest('GET', '/readyz');
    const { body } = await server.rest('GET', '/metrics');
    expect(body).toMatch(/^voxgate_ready 1$/m);
    expect(body).toMatch(/^voxgate_ready_check\{check="database"\} 1$/m);
  });

  it('ask for metrics that the server has', () => {
    const dashboard = JSON.parse(textOf('deploy/grafana/voxgate.json')) as {
      panels: { id: number; targets: { expr: string }[] }[];
    };
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const asked = expressions.flatMap(metricsIn);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
    expect(asked.length).toBeGreaterThan(20);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(['summary', 'description']);
  });
});

describe('without Kubernetes', () => {
  it('everything that people install is of one version, and so are the names in the guides', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(parse(textOf('deploy/helm/voxgate/Chart.yaml'))).toMatchObject({ version, appVersion: version });
    expect(JSON.parse(textOf('packages/client/package.json'))).toMatchObject({ version });
    expect(JSON.parse(textOf('package-lock.json'))).toMatchObject({ version, packages: { '': { version } } });
    expect(textOf('packages/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
    const guides = ['docs/guides/installing.md', 'docs/guides/deployment.md', 'packages/client/README.md'];
    const named = guides.flatMap((path) => [...textOf(path).matchAll(/\bvoxgate[-:a-z]*(\d+\.\d+\.\d+)\b/g)]);
    expect(named.length).toBeGreaterThan(5);
    expect(new Set(named.map(([, told]) => told))).toEqual(new Set([version]));
  });

  it('container, compose file and unit set only settings that exist, and no secret', () => {
    const known = [...describeSettings().map(({ env }) => env), 'VOXGATE_CONFIG'];
    for (const file of [
      'deploy/Containerfile',
      'deploy/compose.yaml',
      'deploy/systemd/voxgate.service',
      'deploy/health.mjs',
    ]) {
      const asked = textOf(file).match(/\bVOXGATE_[A-Z_]*[A-Z]\b/g) ?? [];
      expect(
        asked.filter((name) => !known.includes(name)),
        file,
      ).toEqual([]);
    }
    const { services } = parse(textOf('deploy/compose.yaml')) as {
      services: Record<
        string,
        { environment: Record<string, string>; read_only?: boolean; cap_drop?: string[] }
      >;
    };
    expect(services['voxgate']).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    for (const name of ['VOXGATE_DATABASE', 'VOXGATE_SEALING_MASTER_KEY'])
      expect(services['voxgate']?.environment[name]).toMatch(/\$\{\w+:\?/);
    expect(textOf('deploy/Containerfile')).toMatch(/^USER 65532:65532$/m);
  });

  it('the guide makes the files that the unit reads, so that its own user can read them', () => {
    const unit = textOf('deploy/systemd/voxgate.service');
    const guide = textOf('docs/guides/deployment.md');
    const modeOf = (path: string): string | undefined =>
      new RegExp(`^.*install .*-m (\\d{3}) .*${path}$`, 'm').exec(guide)?.[1];
    const config = /^Environment=VOXGATE_CONFIG=(\S+)$/m.exec(unit)?.[1] ?? '';
    const secrets = /^EnvironmentFile=-?(\S+)$/m.exec(unit)?.[1] ?? '';
    expect(unit).toMatch(/^DynamicUser=yes$/m);
    expect([modeOf(dirname(config)), modeOf(config), modeOf(secrets)]).toEqual(['755', '644', '600']);
  });

  it('the image keeps what the server needs for its own platform, and is never made in a checkout', async () => {
    const { slim } = (await import(join(ROOT, 'deploy', 'slim.mjs'))) as {
      slim(folder: string, of: { platform: string; arch: string }): number;
    };
    const folder = temporaryFolder();
    const onnx = 'node_modules/onnxruntime-node/bin/napi-v6';
    const kept = [
      `${onnx}/linux/arm64/lib.so`,
      'dist/main.js',
      'models/m/weights',
      'deploy/health.mjs',
      'node_modules/a/dist/a.js',
      'node_modules/a/package.json',
      'node_modules/@libsql/linux-arm64-gnu/index.node',
      'node_modules/@libsql/client/index.js',
    ];
    const gone = [
      `${onnx}/linux/x64/lib.so`,
      `${onnx}/win32/arm64/lib.dll`,
      'node_modules/@libsql/linux-arm64-musl/index.node',
      'node_modules/@libsql/linux-x64-gnu/index.node',
      'src/main.ts',
      'test/a.test.ts',
      'dist/main.js.map',
      'node_modules/a/dist/a.d.ts',
      'node_modules/a/test/b.js',
      'deploy/compose.yaml',
    ];
    for (const file of [...kept, ...gone]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), 'x');
    }
    expect(slim(folder, { platform: 'linux', arch: 'arm64' })).toBe(kept.length);
    for (const file of kept) expect([file, existsSync(join(folder, file))]).toEqual([file, true]);
    mkdirSync(join(folder, '.git'));
    expect(() => slim(folder, { platform: 'linux', arch: 'arm64' })).toThrow('is a checkout');
  });
});
