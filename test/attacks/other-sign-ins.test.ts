// Attack: somebody is signed in beside the owner, who then changes what they sign in with. The other session used to live on after a
// change of factors; a new password ended all, the owner's own as well.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  beginOwnTotp,
  confirmOwnTotp,
  removeOwnTotp,
  renewRecoveryCodes,
} from '../../src/auth/factors/own-factors.js';
import { beginPasskey, createPasskey, removePasskey } from '../../src/auth/factors/own-passkeys.js';
import { setPassword } from '../../src/auth/users/set-password.js';
import type { Call } from '../../src/platform.js';
import { silentLog } from '../../src/platform.js';
import type { Browser } from '../auth/browser.js';
import { PASSWORD } from '../auth/support.js';
import { SoftwarePasskey } from '../support/authenticator.js';
import { forEachDatabase } from '../support/database.js';
import { totp } from '../support/totp.js';
import {
  callerOf,
  codeIn,
  consented,
  consoleRequest,
  exchange,
  refresh,
  signedInBrowser,
  startTarget,
  type Target,
  type Tokens,
} from './support.js';

const ORIGIN = 'https://voice.example';

interface SignedIn {
  browser: Browser;
  tokens: Tokens;
}

await forEachDatabase(({ open }) => {
  let target: Target;
  let own: SignedIn;
  let other: SignedIn;
  let call: Call;
  /** Another application that the owner has allowed to act for them. */
  let tool: { clientId: string; tokens: Tokens };
  beforeEach(async () => {
    target = await startTarget({ publicUrl: ORIGIN }, {}, await open());
    own = await signIn();
    other = await signIn();
    const { client, tokens } = await consented(target, own.browser, target.member);
    tool = { clientId: client.clientId, tokens };
    const caller = (await callerOf(target, own.tokens.access))!;
    call = { requestId: 'test', caller, signal: new AbortController().signal, log: silentLog };
    return () => target.stop();
  });

  /** The console in a new browser. */
  async function signIn(): Promise<SignedIn> {
    const browser = await signedInBrowser(target, 'olga');
    return { browser, tokens: (await consoleIn(browser))! };
  }

  /** New tokens for the console of this browser, where it is still signed in. */
  async function consoleIn(browser: Browser): Promise<Tokens | undefined> {
    const attempt = consoleRequest(target);
    const code = codeIn(await browser.get(attempt.address));
    return code === undefined ? undefined : exchange(target, attempt, code);
  }

  async function withApp(): Promise<{ codes: string[]; code: () => string }> {
    const { setupToken, secret } = await beginOwnTotp(target.auth, call, { currentPassword: PASSWORD });
    const code = (): string => totp(secret, target.clock.now());
    const codes = await confirmOwnTotp(target.auth, call, { setupToken, code: code() });
    target.clock.advance(30_000);
    return { codes, code };
  }

  async function withPasskey(): Promise<{ passkeyId: string; codes: string[] }> {
    const passkey = new SoftwarePasskey('voice.example', ORIGIN);
    const begun = await beginPasskey(target.auth, call, { currentPassword: PASSWORD });
    const credentialJson = passkey.create(begun.optionsJson);
    const { setupToken } = begun;
    const made = await createPasskey(target.auth, call, { setupToken, name: 'laptop', credentialJson });
    return { passkeyId: passkey.id.toString('base64url'), codes: made.recoveryCodes };
  }

  const shown = (code: string) => ({
    currentPassword: PASSWORD,
    factor: { code, proofToken: '', credentialJson: '' },
  });

  /** Each prepares, and answers the change to look at. */
  const changes: [string, () => Promise<() => Promise<unknown>>][] = [
    ['setting up an app', async () => withApp],
    [
      'removing an app',
      async () => {
        const { code } = await withApp();
        return () => removeOwnTotp(target.auth, call, shown(code()));
      },
    ],
    [
      'new recovery codes',
      async () => {
        const { code } = await withApp();
        return () => renewRecoveryCodes(target.auth, call, shown(code()));
      },
    ],
    ['adding a passkey', async () => withPasskey],
    [
      'removing a passkey',
      async () => {
        const { passkeyId, codes } = await withPasskey();
        return () => removePasskey(target.auth, call, { passkeyId, ...shown(codes[0]!) });
      },
    ],
  ];

  const audited = async (): Promise<string[]> =>
    (await target.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 })).map(
      ({ operation }) => operation,
    );

  describe('a change of factors', () => {
    it.each(changes)('%s ends other sign-ins, and nothing else', async (_name, prepare) => {
      const change = await prepare();
      // Preparing may have ended the other one; whoever came in meanwhile, with what was good then, goes too.
      await target.auth.store.direct.grants.insertSession({
        sessionHash: 'late',
        userId: call.caller.userId!,
        createdAtMs: 0,
        expiresAtMs: target.clock.now() + 1e9,
      });
      await change();
      const left = await target.auth.store.direct.grants.listSessions(call.caller.userId!);
      expect(left).toHaveLength(1);
      expect(await callerOf(target, own.tokens.access)).toBeDefined();
      expect(await refresh(target, 'console', own.tokens.refresh)).toBeDefined();
      expect(await consoleIn(own.browser)).toBeDefined();
      expect(await callerOf(target, other.tokens.access)).toBeUndefined();
      expect(await refresh(target, 'console', other.tokens.refresh)).toBeUndefined();
      expect(await consoleIn(other.browser)).toBeUndefined();
      expect(await callerOf(target, tool.tokens.access)).toBeDefined();
      expect(await audited()).toContain('user.sign-out-elsewhere');
    });

    it('by a token that came from no sign-in ends all of them', async () => {
      const { signIn: _none, ...caller } = call.caller;
      call = { ...call, caller };
      await withApp();
      for (const { browser } of [own, other]) expect(await consoleIn(browser)).toBeUndefined();
    });
  });

  it('a new password of one’s own leaves the sign-in in which it was set, and nothing else', async () => {
    const before = own.browser.cookies.get('voxgate_device');
    const newPassword = `${PASSWORD} 2`;
    const userId = call.caller.userId!;
    await setPassword(target.auth, call, { userId, newPassword, currentPassword: PASSWORD });
    // Tokens from before are void; this browser gets new ones, and is known anew.
    for (const { access } of [own.tokens, other.tokens, tool.tokens])
      expect(await callerOf(target, access)).toBeUndefined();
    const renewed = await refresh(target, 'console', own.tokens.refresh);
    expect(await callerOf(target, renewed!.access)).toBeDefined();
    expect(await consoleIn(own.browser)).toBeDefined();
    expect(own.browser.cookies.get('voxgate_device')).not.toBe(before);
    expect(await refresh(target, 'console', other.tokens.refresh)).toBeUndefined();
    expect(await consoleIn(other.browser)).toBeUndefined();
    expect(await refresh(target, tool.clientId, tool.tokens.refresh)).toBeUndefined();
  });
});
