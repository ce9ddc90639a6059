import { execFileSync } from 'node:child_process';
import { getOption } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import {
  EnrollRequestSchema,
  VerifyRequestSchema,
} from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { VoiceprintsManager } from '../../src/gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { preparationSample } from '../../src/transport/openapi/sample.js';
import { SchemaCollector } from '../../src/transport/openapi/schema.js';
import { buildOpenApi, type OpenApiDocument } from '../../src/transport/openapi/document.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let document: OpenApiDocument;

beforeAll(async () => {
  server = await startTestServer({
    bare: true,
    bindings: [echoScopes().binding],
    config: { publicUrl: 'https://voice.example' },
  });
  document = (await server.rest('GET', '/openapi.json', { token: null })).body;
});
afterAll(() => server.stop());

describe('OpenAPI document', () => {
  it('has every binding of every registered operation, and nothing else', () => {
    const expected = ScopesManager.methods.flatMap((method) => {
      const rule = getOption(method, http);
      return [rule, ...rule.additionalBindings].map(
        (one) => `${one.pattern.case} ${one.pattern.value as string}`,
      );
    });
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(documented.sort()).toEqual(expected.sort());
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://voice.example' }]);
  });

  it('gives every operation an id of its own and every path variable a parameter', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const variables = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
      expect(
        operation.parameters
          .filter((parameter) => parameter.in === 'path')
          .map((parameter) => parameter.name),
      ).toEqual(variables);
      expect(operation.security).toContainEqual({ bearer: ['biosec'] });
      expect(operation.deprecated ?? false).toBe(path.startsWith('/vendor/'));
    }
  });

  it('shows the idempotency key where it means something', () => {
    const headers = (path: string, verb: string) =>
      document.paths[path]?.[verb]?.parameters
        .filter((parameter) => parameter.in === 'header')
        .map((parameter) => parameter.name);
    expect(headers('/v1/scopes', 'post')).toEqual(['Idempotency-Key']);
    expect(headers('/v1/scopes', 'get')).toEqual([]);
  });

  it('shows nested query parameters and descriptions from the contract', () => {
    const list = document.paths['/v1/scopes']?.['get'];
    expect(list?.parameters.map((parameter) => parameter.name)).toEqual(
      expect.arrayContaining(['context.gk_scope_id.value', 'context.configset_id', 'field_mask']),
    );
    expect(list?.description).toMatch(/tenants/i);
  });

  it('resolves every reference', () => {
    const references = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
    ].map((match) => match[1] as string);
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });

  it('describes enums by name', () => {
    expect(document.components.schemas['vendor.biosec.v1.scopes.ScopeState']?.['enum']).toContain(
      'SCOPE_STATE_PENDING_DELETION',
    );
  });
});

describe('what a request must hold', () => {
  const collector = new SchemaCollector();
  collector.request(VerifyRequestSchema, ['gk_voiceprint_profile_id']);
  collector.request(EnrollRequestSchema, []);
  const verify = collector.schemas['vendor.biosec.v1.voiceprint.VerifyRequest'];

  it('is required, unless the path gives it', () => {
    expect(verify?.['required']).toEqual(['context']);
    expect(collector.schemas['vendor.biosec.v1.voiceprint.EnrollRequest']?.['required']).toEqual([
      'context',
      'gkVoiceprintProfileId',
      'gkProcessedAudioId',
    ]);
    expect(verify?.['properties']).toMatchObject({
      context: { required: ['gkEngagementId', 'gkSessionId', 'gkScopeId', 'configsetId'] },
    });
  });

  it('is exactly one of a choice', () => {
    expect(verify?.['allOf']).toEqual([
      { oneOf: [{ required: ['gkMediaSegmentId'] }, { required: ['gkProcessedAudioId'] }] },
    ]);
    expect(verify?.['description']).toContain('Exactly one of: gkMediaSegmentId, gkProcessedAudioId.');
  });

  it('is marked in queries, too', () => {
    const manager = { service: VoiceprintsManager, handlers: {}, access: { anyOf: ['biosec'] } };
    const { paths } = buildOpenApi([manager], '1', '/');
    const { parameters = [] } = paths['/v1/voiceprints/profiles/gkid']?.['get'] ?? {};
    expect(parameters.filter((one) => one.required).map(({ name }) => name)).toEqual([
      'context.gk_scope_id.value',
    ]);
    expect(parameters.map(({ name }) => name)).toContain('owner.person_id');
  });
});

describe('documentation page', () => {
  it('shows operations with samples, runs one script of its own and loads nothing from elsewhere', async () => {
    const answer = await server.rest('GET', '/docs', { token: null });
    const page = answer.body as string;
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-/,
    );
    expect(page).toContain('/v1/scopes/{gk_scope_id.value}/scope_id');
    expect(page).toContain('VOXGATE=https://voice.example\n');
    expect(page).toContain('curl -X POST &#34;$VOXGATE/v1/scopes&#34;');
    expect(page).toContain('await voxgate.call(&#39;CreateScope&#39;, {');
    expect(page).toContain('voxgate.operations.create_scope({');
    expect(page).toContain('Fraud analyst: find a voice again');
    const loaded = [...page.matchAll(/ (?:src|href)="([^"#][^"]*)"/g)].map(([, where]) => where);
    expect([...new Set(loaded)]).toEqual(['/openapi.json', '/console/docs/docs.js']);
  });
});

describe('the lines before the samples', () => {
  const tenants = (...ids: string[]): string =>
    JSON.stringify({ gkScopeIds: ids.map((value) => ({ value })), access_token: 'x' });
  const chosenFrom = (answer: string): string => {
    const script = `curl() { echo '${answer}'; }; VOXGATE_CLIENT_ID=a VOXGATE_CLIENT_SECRET=b\n${preparationSample('/')}\necho "chosen: \${GK_SCOPE_ID-none}"`;
    return execFileSync('bash', ['-eu', '-c', script], { encoding: 'utf8' });
  };

  it('take the one tenant that a client may use, and none of several', () => {
    expect(chosenFrom(tenants('one'))).toBe('one\nchosen: one\n');
    expect(chosenFrom(tenants('one', 'two'))).toBe('one\ntwo\nchosen: none\n');
  });
});
