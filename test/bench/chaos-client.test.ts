// The client of the chaos bench against a server that breaks off, or whose clock is wrong.
import { UnsecuredJWT } from 'jose';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ChaosClient, NoAnswer } from '../../bench/chaos/client.js';
import { Ledger } from '../../bench/chaos/ledger.js';

const HOUR_MS = 3600_000;

/** A client, and the ledger it writes, of a server that answers everything in this way. */
async function clientOf(
  answer: (response: ServerResponse) => void,
): Promise<{ client: ChaosClient; ledger: Ledger }> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const ledger = new Ledger();
  const known = { tenantId: 'tenant', configsetId: 'default', clientId: 'client', clientSecret: 'secret' };
  const target = { http: `http://127.0.0.1:${port}`, ...known };
  return { client: new ChaosClient({ target }, ledger, 'test'), ledger };
}

const grant = (offsetMs: number) => (response: ServerResponse) =>
  response.end(
    JSON.stringify({
      access_token: new UnsecuredJWT({}).setIssuedAt(new Date(Date.now() + offsetMs)).encode(),
    }),
  );

it.each([
  ['now', 0, 1],
  ['before an answer that took long', -30_000, 1],
  ['800 days from now', 800 * 24 * HOUR_MS, 0],
  ['20 hours from now', 20 * HOUR_MS, 0],
  ['three days ago', -72 * HOUR_MS, 0],
])('expects a token to last that was made %s: by what it says itself', async (_when, offsetMs, kept) => {
  const { client, ledger } = await clientOf(grant(offsetMs));
  await client.newToken();
  expect(ledger.tokens).toHaveLength(kept);
  expect(ledger.acknowledged).toEqual({ token: 1 });
});

/** The beginning of an answer, and then nobody. */
const breakOff =
  (status: number) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': 1000 });
    response.write('{"access_token":', () => response.destroy());
  };

it.each([200, 500])('takes an answer with status %i that breaks off for none', async (status) => {
  const { client, ledger } = await clientOf(breakOff(status));
  await expect(client.newToken()).rejects.toThrow(NoAnswer);
  expect(ledger).toMatchObject({ refused: { 'no answer': 1 }, unexpected: {}, acknowledged: {}, tokens: [] });
});

it('takes a call for unanswered whose answer breaks off', async () => {
  let answer: (response: ServerResponse) => void = grant(0);
  const { client, ledger } = await clientOf((response) => answer(response));
  await client.newToken();
  answer = breakOff(200);
  await expect(client.delete('/v1/persons/one')).rejects.toThrow(NoAnswer);
  expect(ledger).toMatchObject({ refused: { 'no answer': 1 }, unexpected: {} });
});
