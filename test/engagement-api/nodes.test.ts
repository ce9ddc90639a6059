// @module-tag slow
// A lock of an engagement client reaches another node through the database, for tokens and for the secret.
import { expect, it } from 'vitest';
import { lockClient, unlockClient } from '../../src/auth/clients/lock-client.js';
import { registerEngagementClient } from '../../src/auth/clients/register-engagement-client.js';
import { authenticateRequest } from '../../src/auth/tokens/authenticator.js';
import { handleTokenRequest } from '../../src/auth/tokens/token-endpoint.js';
import type { Auth } from '../../src/auth/create.js';
import { basic, createTestAuth } from '../auth/support.js';
import { forEachDatabase } from '../support/database.js';

const POLL_MS = 100;

await forEachDatabase(({ open }) => {
  it('is seen by the other node within its polling time', async () => {
    const database = await open();
    const settings = { changePollMs: POLL_MS };
    const [here, there] = [
      await createTestAuth(database, { settings }),
      await createTestAuth(database, { settings }),
    ];
    try {
      const { client, secret } = await registerEngagementClient(here.auth, here.system, {
        name: 'shop',
        sites: ['main'],
        siteExists: async () => true,
      });
      const { clientId } = client;
      const tokenAt = (auth: Auth, by = secret) => {
        const form = new Map([
          ['client_id', clientId],
          ['grant_type', 'client_credentials'],
        ]);
        return handleTokenRequest(
          auth,
          {
            form,
            authorization: basic(clientId, by),
            dpop: undefined,
            url: 'http://voxgate.test/',
            address: 'a',
          },
          ['engagement'],
        );
      };
      const { token } = (await tokenAt(there.auth)).granted.issued;
      const verdictThere = () =>
        authenticateRequest(
          there.auth,
          { authorization: `Bearer ${token}`, dpop: undefined, method: 'GET', url: '/' },
          there.auth.settings.engagementAudience,
        );
      expect(await verdictThere()).toMatchObject({ ok: true, claims: { sites: ['main'] } });
      await lockClient(here.auth, here.system, { clientId });
      await expect.poll(verdictThere, { interval: 50 }).toMatchObject({ ok: false, reason: 'revoked' });
      await expect(tokenAt(there.auth)).rejects.toMatchObject({ code: 'invalid_client' });
      const { secret: another = '' } = await unlockClient(here.auth, here.system, { clientId });
      await expect
        .poll(
          () =>
            tokenAt(there.auth, another).then(
              () => true,
              () => false,
            ),
          { interval: 50 },
        )
        .toBe(true);
    } finally {
      await here.auth.stop();
      await there.auth.stop();
    }
  });
});
