import { describe, expect, it } from 'vitest';
import { parsePathTemplate } from '../../src/transport/rest/path-template.js';
import { Router } from '../../src/transport/rest/router.js';

function routerOf(...routes: [string, string][]): Router<string> {
  const router = new Router<string>();
  for (const [method, path] of routes) router.add(method, parsePathTemplate(path), `${method} ${path}`);
  return router;
}

const router = routerOf(
  ['POST', '/v1/audios/process'],
  ['GET', '/v1/audios/{gk_id.value}'],
  ['GET', '/v1/audios/{gk_id.value}/process'],
  ['POST', '/v1/voiceprints/watchlist:check-consistency'],
  ['POST', '/v1/voiceprints/{id}/enrollment'],
  ['POST', '/v1/models/{id}:validate'],
  ['POST', '/v1/models/{id}:activate'],
  ['GET', '/v1/models/{id}'],
  ['POST', '/v1/groups/{id}/persons:batchDelete'],
  ['POST', '/v1/groups/{id}/persons'],
);

function found(method: string, path: string): [string, Record<string, string>] | string {
  const match = router.match(method, path);
  if (!match.found) return match.reason;
  return [
    match.target,
    Object.fromEntries(match.captured.map(({ fieldPath, value }) => [fieldPath.join('.'), value])),
  ];
}

describe('router', () => {
  it.each([
    ['POST', '/v1/audios/process', 'POST /v1/audios/process', {}],
    ['GET', '/v1/audios/process', 'GET /v1/audios/{gk_id.value}', { 'gk_id.value': 'process' }],
    [
      'GET',
      '/v1/audios/process/process',
      'GET /v1/audios/{gk_id.value}/process',
      { 'gk_id.value': 'process' },
    ],
    [
      'POST',
      '/v1/voiceprints/watchlist:check-consistency',
      'POST /v1/voiceprints/watchlist:check-consistency',
      {},
    ],
    [
      'POST',
      '/v1/voiceprints/watchlist%3Acheck-consistency',
      'POST /v1/voiceprints/watchlist:check-consistency',
      {},
    ],
    ['POST', '/v1/models/m1:validate', 'POST /v1/models/{id}:validate', { id: 'm1' }],
    ['POST', '/v1/models/a:b:activate', 'POST /v1/models/{id}:activate', { id: 'a:b' }],
    ['POST', '/v1/models/a%2Fb%3Avalidate:validate', 'POST /v1/models/{id}:validate', { id: 'a/b:validate' }],
    ['GET', '/v1/models/a%3Avalidate', 'GET /v1/models/{id}', { id: 'a:validate' }],
    ['GET', '/v1/models/a:validate', 'GET /v1/models/{id}', { id: 'a:validate' }],
    ['POST', '/v1/groups/g:1/persons:batchDelete', 'POST /v1/groups/{id}/persons:batchDelete', { id: 'g:1' }],
    ['POST', '/v1/groups/g/persons', 'POST /v1/groups/{id}/persons', { id: 'g' }],
  ])('%s %s finds %s', (method, path, target, captured) => {
    expect(found(method, path)).toEqual([target, captured]);
  });

  it.each([
    ['GET', '/v1/audios/'],
    ['GET', '/v1/audios//process'],
    ['GET', '/'],
    ['GET', '/v1/audios/a/b/c'],
  ])('%s %s finds nothing', (method, path) => {
    expect(found(method, path)).toBe('no-path');
  });

  it('knows a path by its other methods', () => {
    expect(router.match('DELETE', '/v1/models/m')).toEqual({
      found: false,
      reason: 'wrong-method',
      allowed: ['GET'],
    });
  });

  it('refuses broken percent-encoding', () => {
    expect(found('GET', '/v1/audios/%E0%A4')).toBe('bad-encoding');
  });

  it('refuses two operations at one place, whatever their variables are called', () => {
    expect(() => routerOf(['GET', '/v1/a/{x}'], ['GET', '/v1/a/{y}'])).toThrow(
      'two operations claim GET /v1/a/{y}',
    );
  });
});

describe('path template', () => {
  it.each(['v1/a', '/v1/{a=**}', '/v1/{a}b', '/v1/{a}:', '/v1//a', '/v1/{a=x/*}'])('refuses %s', (text) => {
    expect(() => parsePathTemplate(text)).toThrow();
  });
});
