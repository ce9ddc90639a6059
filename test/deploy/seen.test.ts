// What Prometheus sees of a release: the alerts fit the job that the chart gives, whatever the release is called, and the metrics can be
// read by those who should, and by nobody else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderChart, type Manifest } from '../support/helm.js';

const ROOT = join(import.meta.dirname, '..', '..');
const CHART = join(ROOT, 'deploy', 'helm', 'voxgate');
const textOf = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const seen = { serviceMonitor: { enabled: true }, alerts: { enabled: true } };

const named = (manifests: readonly Manifest[], kind: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

/** As the operator calls it: by the label of the Service that `jobLabel` names, else by the name of the Service. */
function jobOf(manifests: readonly Manifest[]): string {
  const { metadata } = named(manifests, 'Service');
  const { jobLabel } = named(manifests, 'ServiceMonitor').spec as { jobLabel?: string };
  return metadata.labels?.[jobLabel ?? ''] ?? metadata.name;
}

describe('the alerts of a release', () => {
  it.each([
    ['called as in the guide', 'voice', {}],
    ['called after the product', 'voxgate-eu', {}],
    ['with another name for its objects', 'voice', { fullnameOverride: 'biometrics' }],
  ])('fit its job: %s', (_name, release, values) => {
    const manifests = renderChart(CHART, { ...values, metrics: seen }, release);
    const job = jobOf(manifests);
    const rules = named(manifests, 'PrometheusRule').spec.groups[0].rules as { expr: string }[];
    const matchers = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/\bjob=~"([^"]*)"/g)].map(([, pattern = '']) => pattern),
    );
    expect(matchers.length).toBeGreaterThanOrEqual(2);
    for (const pattern of matchers) expect(job).toMatch(new RegExp(`^(?:${pattern})$`));
  });

  it('do not mix the nodes of two releases, which have the same job', () => {
    const rules = named(renderChart(CHART, { metrics: seen }), 'PrometheusRule').spec.groups[0].rules as {
      expr: string;
    }[];
    const groupings = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/\bby \(([^)]*\bjob\b[^)]*)\)/g)].map(([, labels = '']) => labels),
    );
    expect(groupings).not.toEqual([]);
    for (const labels of groupings) expect(labels).toBe('job, namespace, service');
  });

  it('warn of memory before the limit of the chart ends the node', () => {
    const { resources, metrics } = parse(textOf('deploy/helm/voxgate/values.yaml')) as {
      resources: { limits: { memory: string } };
      metrics: { alerts: { memoryBytes: string } };
    };
    expect(resources.limits.memory).toBe('2Gi');
    const share = Number(metrics.alerts.memoryBytes) / 2 ** 31;
    expect(share > 0.8 && share < 0.9).toBe(true);
    const expressionIn = (alerts: object): string => {
      const { spec } = named(
        renderChart(CHART, { metrics: { alerts: { enabled: true, ...alerts } } }),
        'PrometheusRule',
      );
      const rules = spec.groups[0].rules as { alert: string; expr: string }[];
      return rules.find(({ alert }) => alert === 'VoxgateMemoryHigh')?.expr ?? '';
    };
    expect(expressionIn({})).toContain(`> ${metrics.alerts.memoryBytes}`);
    expect(expressionIn({ memoryBytes: '7e9' })).toContain('> 7e9');
  });
});

describe('the metrics of a release', () => {
  it('ask for a token where a Secret holds one, and the ServiceMonitor shows it', () => {
    const endpointOf = (manifests: readonly Manifest[]) =>
      named(manifests, 'ServiceMonitor').spec.endpoints[0] as { authorization?: object };
    const tokenOf = (manifests: readonly Manifest[]) =>
      (
        named(manifests, 'Deployment').spec.template.spec.containers[0].env as {
          name: string;
          value?: string;
          valueFrom?: object;
        }[]
      ).find(({ name }) => name === 'VOXGATE_METRICS_TOKEN');
    const open = renderChart(CHART, { metrics: seen });
    expect([endpointOf(open).authorization, tokenOf(open)]).toEqual([undefined, undefined]);
    const asking = renderChart(CHART, { metrics: { ...seen, existingSecret: 'scrape', key: 'bearer' } });
    const secret = { name: 'scrape', key: 'bearer' };
    expect(endpointOf(asking).authorization).toEqual({ type: 'Bearer', credentials: secret });
    expect(tokenOf(asking)).toEqual({ name: 'VOXGATE_METRICS_TOKEN', valueFrom: { secretKeyRef: secret } });
  });

  const ingress = { namespaceSelector: { matchLabels: { name: 'ingress' } } };
  const prometheus = { namespaceSelector: { matchLabels: { name: 'monitoring' } } };
  const calls = [{ port: 'http' }, { port: 'grpc' }];
  const metrics = { port: 'metrics' };
  it.each([
    ['nobody is named', {}, [{ ports: [...calls, metrics] }]],
    ['only callers are named', { from: [ingress] }, [{ ports: [...calls, metrics], from: [ingress] }]],
    [
      'Prometheus is named',
      { metricsFrom: [prometheus] },
      [{ ports: calls }, { ports: [metrics], from: [prometheus] }],
    ],
    [
      'both are named',
      { from: [ingress], metricsFrom: [prometheus] },
      [
        { ports: calls, from: [ingress] },
        { ports: [metrics], from: [prometheus] },
      ],
    ],
  ])('are reached by whom the network policy names: %s', (_name, networkPolicy, rules) => {
    expect(named(renderChart(CHART, { networkPolicy }), 'NetworkPolicy').spec.ingress).toEqual(rules);
  });

  it('of readiness have a panel', () => {
    const { panels } = JSON.parse(textOf('deploy/grafana/voxgate.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
    for (const name of ['voxgate_ready{', 'voxgate_ready_check{']) expect(asked).toContain(name);
  });
});
