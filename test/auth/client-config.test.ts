// URNs and client IDs as text: what is built can be read, what is malformed is refused.
import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretHasher } from '../../src/auth/secrets.js';
import { buildUrn, parseUrn, validateUrn } from '../../src/auth/client-config/urn.js';
import type { ResourceUrn } from '../../src/auth/client-config/urn.js';
import { parseBasic } from '../../src/auth/clients/presented-credentials.js';
import { buildRuntimeClientId } from '../../src/auth/clients/client-id.js';
import { parseScope } from '../../src/auth/scopes.js';
import { newToolingClient } from '../../src/auth/clients/new-client.js';
import type { Client } from '../../src/auth/model.js';
import { redirectUriFault, redirectUriMatches } from '../../src/auth/tooling/redirect-uri.js';

describe('resource URNs', () => {
  const shapes: Array<[ResourceUrn, string]> = [
    [
      { type: 'asr', contextTag: 'bank', language: 'eng-USA' },
      'urn:vendor-platform:tag:model/bank/platform.asr?=language=eng-USA',
    ],
    [
      { type: 'nlu', contextTag: 'bank', language: 'deu-DEU' },
      'urn:vendor-platform:tag:model/bank/platform.nlu?=language=deu-DEU',
    ],
    [{ type: 'dialog', contextTag: 'bank' }, 'urn:vendor-platform:tag:model/bank/platform.dialog'],
    [
      { type: 'wordset', context: 'bank', wordsetName: 'names', language: 'eng-USA', service: 'asr' },
      'urn:vendor-platform:tag:wordset:lang/bank/names/eng-USA/asr',
    ],
  ];

  it('are built and read back in every shape', () => {
    for (const [parts, text] of shapes) {
      expect(buildUrn(parts)).toBe(text);
      expect(parseUrn(text)).toEqual(parts);
      expect(validateUrn('urn', text)).toEqual([]);
    }
  });

  it('are refused when malformed, with the reason', () => {
    const malformed = [
      'urn:vendor-platform:tag:model/bank/platform.asr',
      'urn:vendor-platform:tag:model/bank/platform.asr?=language=en-US',
      'urn:vendor-platform:tag:model/bank/platform.asr?=language=ENG-usa',
      'urn:vendor-platform:tag:model/bank/platform.dialog?=language=eng-USA',
      'urn:vendor-platform:tag:model/ba nk/platform.dialog',
      'urn:vendor-platform:tag:model//platform.dialog',
      'urn:vendor-platform:tag:model/bank/platform.tts?=language=eng-USA',
      'urn:vendor-platform:tag:wordset:lang/bank/names/eng-USA',
      'urn:other:tag:model/bank/platform.dialog',
      '',
    ];
    for (const text of malformed) {
      expect(parseUrn(text), text).toBeUndefined();
      expect(validateUrn('urn', text).length, text).toBeGreaterThan(0);
    }
    expect(validateUrn('urn', malformed[1]!)[0]!.message).toContain('eng-USA');
  });
});

it.each([32, 64, 65, 200])('secrets are kept as HMAC-SHA-256, with a pepper of %d bytes', (length) => {
  const pepper = randomBytes(length);
  const expected = createHmac('sha256', pepper).update('client\0s\u00e9cret').digest();
  expect(Buffer.from(createSecretHasher(pepper).hash('client', 's\u00e9cret'))).toEqual(expected);
});

describe('client IDs', () => {
  it('are built from their parts', () => {
    const parts = { appId: 'a1', geography: 'us', clientName: 'default' };
    expect(buildRuntimeClientId(parts)).toBe('appID:a1:geo:us:clientName:default');
  });

  it('are split from the secret at the last colon, raw or escaped', () => {
    const encode = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    const expected = { clientId: 'appID:a1:geo:us:clientName:default', secret: 's3cret_-' };
    expect(parseBasic(encode('appID:a1:geo:us:clientName:default:s3cret_-'))).toEqual(expected);
    expect(parseBasic(encode('appID%3Aa1%3Ageo%3Aus%3AclientName%3Adefault:s3cret_-'))).toEqual(expected);
    for (const bad of [
      'Basic',
      'Basic !!!',
      'Bearer abc',
      encode('no-colon'),
      encode(':secret'),
      encode('%zz:x'),
    ]) {
      expect(parseBasic(bad)).toBeUndefined();
    }
  });
});

describe('scope lists', () => {
  it('lose repetitions, keep their order, and must be scope tokens', () => {
    expect(parseScope('tts  asr tts')).toEqual(['tts', 'asr']);
    for (const bad of ['', '   ', 'a"b', 'ä', 'a\tb', 'x '.repeat(300)])
      expect(parseScope(bad)).toBeUndefined();
  });
});

const native = (...redirectUris: string[]): Client => ({
  ...newToolingClient({
    clientId: 'native',
    name: 'Native',
    userId: 'u',
    scopes: ['platform-api'],
    grantTypes: ['authorization_code'],
    redirectUris,
    authMethod: 'none',
    keys: [],
    nowMs: 0,
  }),
});

describe('redirect URIs', () => {
  it('may be https, loopback http or a private scheme with a dot', () => {
    for (const good of [
      'https://a.example/cb',
      'http://127.0.0.1/cb',
      'http://localhost:8080/',
      'com.example.app:/cb',
    ]) {
      expect(redirectUriFault('u', good), good).toBeUndefined();
    }
    for (const bad of [
      'http://a.example/cb',
      'https://a.example/#x',
      'https://*.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      '/cb',
      'https://u:p@a.example/',
    ]) {
      expect(redirectUriFault('u', bad), bad).toBeDefined();
    }
    expect(redirectUriMatches(native('https://a.example/cb'), 'https://a.example:443/cb')).toBe(false);
    expect(redirectUriMatches(native('http://localhost/cb'), 'http://localhost:9/cb')).toBe(false);
  });
});
