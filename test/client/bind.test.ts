// Requests become the paths, queries and bodies that the contract has for them.
import { describe, expect, it } from 'vitest';
import { bind } from '../../src/client/bind.js';
import { paths } from '../../src/gen/calls.js';

const context = { gkScopeId: { value: 's 1' }, configsetId: 'telephone' };

describe('a call by name', () => {
  it.each([
    [
      'ListSessions',
      {
        context,
        query: '',
        pageSize: 50,
        decision: ['DECISION_FRAUD', 'DECISION_NO_MATCH'],
        isActive: undefined,
      },
      'GET',
      '/v1/x/sessions?context.gkScopeId.value=s+1&context.configsetId=telephone&pageSize=50&decision=DECISION_FRAUD&decision=DECISION_NO_MATCH',
      undefined,
    ],
    [
      'GetSessionTimeline',
      { context: { gkScopeId: { value: 's' } }, gkSessionId: { value: 'a/b' } },
      'GET',
      '/v1/x/sessions/a%2Fb/timeline?context.gkScopeId.value=s',
      undefined,
    ],
    [
      'LockClient',
      { clientId: 'appID:7:geo:us', reason: 'leaked' },
      'PUT',
      '/v1/management/clients/appID%3A7%3Ageo%3Aus/lock',
      { reason: 'leaked' },
    ],
    [
      'Verify',
      { context, gkVoiceprintProfileId: { value: 'p' }, gkMediaSegmentId: { value: 'm' } },
      'POST',
      '/v1/voiceprints/p/verification',
      { context, gkVoiceprintProfileId: { value: 'p' }, gkMediaSegmentId: { value: 'm' } },
    ],
    ['UnlockClient', { clientId: 'c' }, 'DELETE', '/v1/management/clients/c/lock', undefined],
  ] as const)('%s', (method, request, verb, path, body) => {
    const bound = bind(paths[method], request);
    expect([bound.verb, bound.path]).toEqual([verb, path]);
    expect(bound.body === undefined ? undefined : JSON.parse(bound.body)).toEqual(body);
  });

  // fetch would take them out of the address, and the call would be another one.
  it.each(['.', '..'])('is not sent with the identifier %s in its path', (value) => {
    expect(() => bind(paths.AddPersonToGroup, { gkGroupId: { value }, personId: 'x' })).toThrow(
      `gkGroupId.value must not be ${value}`,
    );
  });
});
