// The samples of the API page as requests to send: taken apart, and filled with what earlier answers gave.
import { expect, it } from 'vitest';
import { fillIn, learn, requestOf, type Known } from '../../src/console/docs/try-it.js';

it.each([
  [
    'curl "$VOXGATE/v1/x/persons?context.gk_scope_id.value=$GK_SCOPE_ID" \\\n  -H "Authorization: Bearer $TOKEN"',
    { method: 'GET', address: '/v1/x/persons?context.gk_scope_id.value=$GK_SCOPE_ID' },
  ],
  [
    'curl -X POST "$VOXGATE/v1/live/calls/${LIVE_CALL_ID}:end" \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H "Content-Type: application/json" -d @- <<JSON\n{\n  "a": 1\n}\nJSON',
    { method: 'POST', address: '/v1/live/calls/${LIVE_CALL_ID}:end', body: '{\n  "a": 1\n}' },
  ],
])('a sample is a request', (sample, request) => {
  expect(requestOf(sample)).toEqual(request);
});

it('identifiers of an answer fill the next request, the first of each name; others stay to be filled in', () => {
  const known: Known = new Map();
  learn({ details: [{ gkScopeId: { value: 's-1' } }, { gkScopeId: { value: 's-2' } }] }, known);
  learn({ gkSessionId: { value: 'x' }, status: { requestInfo: null } }, known);
  expect(fillIn('/v1/${GK_SCOPE_ID}/y?s=$GK_SESSION_ID&p=$GK_PERSON_ID', known)).toBe(
    '/v1/s-1/y?s=x&p=$GK_PERSON_ID',
  );
});
