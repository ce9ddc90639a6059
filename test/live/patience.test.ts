// A score between the lines: neither a match nor somebody else. Until the policy's patience is over, such a call goes on listening.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Platform } from '../biometrics/support.js';
import { bearer, Line, startWith, STOP, visit } from './line.js';
import { callSamples, muLaw, pieces } from './support.js';

let platform: Platform;
let profile: string;
let speech: Buffer;

beforeAll(async () => {
  platform = await Platform.start();
  ({ profile } = await platform.printOf('anna'));
  // More than ten seconds of speech.
  speech = muLaw(await callSamples('anna', [4, 5, 4, 5, 4, 5], 8000));
});
afterAll(() => platform.stop());

/** States with the speech that they are based on; every score is between these lines. */
async function heard(patienceSeconds: number): Promise<string[]> {
  const configsetId = `patient-${patienceSeconds}`;
  await platform.configure(configsetId, {
    authentication: { riskLow: 1, riskHigh: 999, patienceSeconds },
  });
  const context = await platform.open(configsetId);
  const { events } = await visit(
    platform,
    [startWith(context, profile), ...pieces(speech, 160), STOP],
    bearer,
  );
  return events.map(({ state, netSpeech, final }) => `${state} ${final ? 'at the end' : netSpeech}`);
}

it('listens on until the patience of the policy is over', async () => {
  expect(await heard(10)).toEqual(['LISTENING 0s', 'NO_MATCH 10s', 'NO_MATCH at the end']);
});

it('is listening in lists, too, until the call is over', async () => {
  const context = await platform.open();
  const listed = async (): Promise<string[]> => {
    const query = `context.gkScopeId.value=${platform.gkScopeId}&headline=SESSION_HEADLINE_LISTENING`;
    const { body } = await platform.server.rest('GET', `/v1/x/sessions?${query}`);
    type Entry = { details: { gkSessionId: { value: string } } };
    return ((body.sessions ?? []) as Entry[]).map(({ details }) => details.gkSessionId.value);
  };
  expect(await listed()).toEqual([]);
  const line = new Line(platform);
  const { start } = JSON.parse(startWith(context, profile)) as { start: object };
  await line.begin(start);
  expect(await listed()).toEqual([context.gkSessionId?.value]);
  line.send(STOP);
  await line.closed;
  expect(await listed()).toEqual([]);
});

it('is no match at the first look of a policy without patience', async () => {
  expect(await heard(3)).toEqual(['LISTENING 0s', 'NO_MATCH 3s', 'NO_MATCH at the end']);
});
