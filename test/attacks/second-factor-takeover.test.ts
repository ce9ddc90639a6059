// Attack: somebody has a token of the console and the password, and takes away or replaces the second factor, or adds one of their own.
// The password used to be enough for it. Every change asks for a factor that the person has.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  beginFactorProof,
  beginOwnTotp,
  confirmOwnTotp,
  removeOwnTotp,
  renewRecoveryCodes,
} from '../../src/auth/factors/own-factors.js';
import { beginPasskey, createPasskey, removePasskey } from '../../src/auth/factors/own-passkeys.js';
import { checkCode } from '../../src/auth/factors/check-code.js';
import type { FactorProof, Proof } from '../../src/auth/factors/current-user.js';
import type { UserView } from '../../src/auth/model.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { knownDeviceCookie } from '../../src/auth/users/known-device.js';
import { setPassword } from '../../src/auth/users/set-password.js';
import type { Call } from '../../src/platform.js';
import { Browser } from '../auth/browser.js';
import { PASSWORD, callOf } from '../auth/support.js';
import { SoftwarePasskey } from '../support/authenticator.js';
import { forEachDatabase } from '../support/database.js';
import { totp } from '../support/totp.js';
import { consoleRequest, startTarget, type Target } from './support.js';

const ORIGIN = 'https://voice.example';
let target: Target;

const nothing: FactorProof = { code: '', proofToken: '', credentialJson: '' };
const shown = (factor: Partial<FactorProof> = {}): Proof => ({
  currentPassword: PASSWORD,
  factor: { ...nothing, ...factor },
});

async function person(userName: string): Promise<{ user: UserView; call: Call }> {
  const input = {
    userName,
    displayName: userName,
    role: 'member',
    password: PASSWORD,
    temporary: false,
  } as const;
  const user = await createUser(target.auth, target.system, input);
  return { user, call: callOf(user) };
}

async function withApp(call: Call): Promise<{ codes: string[]; code: () => string }> {
  const { setupToken, secret } = await beginOwnTotp(target.auth, call, { currentPassword: PASSWORD });
  const code = (): string => totp(secret, target.clock.now());
  const codes = await confirmOwnTotp(target.auth, call, { setupToken, code: code() });
  target.clock.advance(30_000);
  return { codes, code };
}

async function withPasskey(call: Call, proof: Proof = shown()) {
  const passkey = new SoftwarePasskey('voice.example', ORIGIN);
  const { setupToken, optionsJson } = await beginPasskey(target.auth, call, proof);
  const credentialJson = passkey.create(optionsJson);
  const made = await createPasskey(target.auth, call, { setupToken, name: 'laptop', credentialJson });
  return { passkey, passkeyId: passkey.id.toString('base64url'), codes: made.recoveryCodes };
}

type Change = (call: Call, proof: Proof) => Promise<unknown>;
const changes: [string, Change][] = [
  ['removing the app', (call, proof) => removeOwnTotp(target.auth, call, proof)],
  ['setting up another app', (call, proof) => beginOwnTotp(target.auth, call, proof)],
  ['new recovery codes', (call, proof) => renewRecoveryCodes(target.auth, call, proof)],
  ['adding a passkey', (call, proof) => beginPasskey(target.auth, call, proof)],
  ['removing a passkey', (call, proof) => removePasskey(target.auth, call, { passkeyId: 'any', ...proof })],
];

const refusal = (field: string) => ({ code: 'INVALID_REQUEST', fields: [{ field }] });

await forEachDatabase(({ open }) => {
  beforeEach(async () => {
    target = await startTarget({ publicUrl: ORIGIN }, {}, await open());
    return () => target.stop();
  });

  describe('with the password alone', () => {
    it.each(changes)('%s is refused, as it is with a wrong or a used code', async (name, change) => {
      const { user, call } = await person(`ann-${name.replaceAll(' ', '-')}`);
      const app = await withApp(call);
      await expect(change(call, { currentPassword: PASSWORD })).rejects.toMatchObject(refusal('proof'));
      await expect(change(call, shown())).rejects.toMatchObject(refusal('proof'));
      await expect(change(call, shown({ code: '000000' }))).rejects.toMatchObject(refusal('proof.code'));
      await expect(change(call, shown({ code: 'AAAA-AAAA' }))).rejects.toMatchObject(refusal('proof.code'));
      const junk = shown({ proofToken: 'x.y', credentialJson: '{}' });
      await expect(change(call, junk)).rejects.toMatchObject(refusal('proof.credential_json'));
      const { factors } = target.auth.store.direct;
      expect(await factors.getTotp(user.userId)).toBeDefined();
      expect(await factors.countRecoveryCodes(user.userId)).toBe(10);
      const reasons = target.events.filter(({ type }) => type === 'sign-in.failed');
      expect(reasons.map(({ method, reason, endpoint }) => [method, reason, endpoint])).toEqual([
        ['totp', 'wrong_code', '/v1/management/me/factors'],
        ['recovery-code', 'wrong_code', '/v1/management/me/factors'],
        ['passkey', 'expired', '/v1/management/me/factors'],
      ]);
      // A right code is good for one change, not for two.
      const code = app.code();
      await renewRecoveryCodes(target.auth, call, shown({ code }));
      await expect(change(call, shown({ code }))).rejects.toMatchObject(refusal('proof.code'));
    });

    it('codes cannot be guessed, whatever they are tried for', async () => {
      const { call } = await person('bob');
      const app = await withApp(call);
      const outcomes: unknown[] = [];
      for (let i = 0; i < 6; i++)
        outcomes.push(
          await removeOwnTotp(target.auth, call, shown({ code: `00000${i}` })).catch((e: unknown) => e),
        );
      expect(outcomes.at(-1)).toMatchObject({ code: 'RATE_EXCEEDED' });
      const right = removeOwnTotp(target.auth, call, shown({ code: app.code() }));
      await expect(right).rejects.toMatchObject({ code: 'RATE_EXCEEDED' });
    });

    it('guesses of one sign-in do not keep another from changing anything', async () => {
      const { call } = await person('nils');
      const app = await withApp(call);
      const inSignIn = (signIn: string): Call => ({ ...call, caller: { ...call.caller, signIn } });
      const thief = inSignIn('thief');
      for (let i = 0; i < 12; i++) {
        const wrong: Proof = { currentPassword: 'not it', factor: shown({ code: '000000' }).factor };
        await removeOwnTotp(target.auth, thief, i % 2 ? wrong : shown({ code: '000000' })).catch(() => {});
      }
      const locked = removeOwnTotp(target.auth, thief, shown({ code: app.code() }));
      await expect(locked).rejects.toMatchObject({ code: 'RATE_EXCEEDED' });
      await renewRecoveryCodes(target.auth, inSignIn('owner'), shown({ code: app.code() }));
    });

    it('guesses at the sign-in page do not keep those from it who are signed in', async () => {
      const { user, call } = await person('odin');
      const app = await withApp(call);
      const stored = (await target.auth.store.direct.users.get(user.userId))!;
      const guess = () =>
        checkCode(target.auth, stored, { code: '000000', address: '192.0.2.1', clientId: 'console' });
      for (let i = 0; i < 6; i++) await guess();
      expect(await guess()).toMatchObject({ reason: 'rate-limited' });
      await removeOwnTotp(target.auth, call, shown({ code: app.code() }));
    });

    it('codes that are wrong again and again become rare, and a known browser has its own', async () => {
      const { user, call } = await person('pia');
      const app = await withApp(call);
      const stored = (await target.auth.store.direct.users.get(user.userId))!;
      const device = knownDeviceCookie(target.auth, stored, 'a session', undefined);
      let compared = 0;
      for (let hour = 0; hour < 30; hour++) {
        for (let i = 0; i < 6; i++) {
          const input = { code: '000000', address: '192.0.2.1', clientId: 'console' };
          const outcome = await checkCode(target.auth, stored, input);
          if (!outcome.ok && outcome.reason === 'wrong') compared += 1;
        }
        target.clock.advance(3600_000);
      }
      // Fifty in ten hours, and then one an hour.
      expect(compared).toBeLessThan(80);
      const own = { code: app.code(), address: '192.0.2.1', clientId: 'console', device };
      expect(await checkCode(target.auth, stored, own)).toEqual({ ok: true, method: 'totp' });
    });

    it('a code that is sent twice is no guess', async () => {
      const { call } = await person('lea');
      const app = await withApp(call);
      const code = app.code();
      await renewRecoveryCodes(target.auth, call, shown({ code }));
      for (let i = 0; i < 20; i++)
        await expect(renewRecoveryCodes(target.auth, call, shown({ code }))).rejects.toMatchObject(
          refusal('proof.code'),
        );
      target.clock.advance(30_000);
      await renewRecoveryCodes(target.auth, call, shown({ code: app.code() }));
    });

    it('answers of passkeys, junk or sent twice, do not use up the attempts for codes', async () => {
      const { user, call } = await person('mia');
      const { passkey, codes } = await withPasskey(call);
      const asked = await beginFactorProof(target.auth, call);
      const credentialJson = passkey.get(asked.optionsJson, user.userId, { counter: 1 });
      const proof = shown({ proofToken: asked.ticket, credentialJson });
      await renewRecoveryCodes(target.auth, call, proof).then((made) => codes.splice(0, 10, ...made));
      for (let i = 0; i < 20; i++)
        await expect(renewRecoveryCodes(target.auth, call, proof)).rejects.toMatchObject(
          refusal('proof.credential_json'),
        );
      const junk = shown({ proofToken: 'x.y', credentialJson: '{}' });
      for (let i = 0; i < 20; i++) await renewRecoveryCodes(target.auth, call, junk).catch(() => undefined);
      await renewRecoveryCodes(target.auth, call, shown({ code: codes[0]! }));
    });

    it('a setup that began before there was a factor does not end beside one', async () => {
      const { call } = await person('cleo');
      const thiefs = await beginOwnTotp(target.auth, call, { currentPassword: PASSWORD });
      const thiefsPasskey = await beginPasskey(target.auth, call, shown());
      await withApp(call);
      const code = totp(thiefs.secret, target.clock.now());
      const late = confirmOwnTotp(target.auth, call, { setupToken: thiefs.setupToken, code });
      await expect(late).rejects.toMatchObject(refusal('setup_token'));
      const credentialJson = new SoftwarePasskey('voice.example', ORIGIN).create(thiefsPasskey.optionsJson);
      const made = createPasskey(target.auth, call, {
        setupToken: thiefsPasskey.setupToken,
        name: 'thief',
        credentialJson,
      });
      await expect(made).rejects.toMatchObject(refusal('setup_token'));
    });
  });

  describe('what was begun', () => {
    const owners: [string, (call: Call, code: string) => Promise<unknown>][] = [
      ['new recovery codes', (call, code) => renewRecoveryCodes(target.auth, call, shown({ code }))],
      [
        'another app',
        async (call, code) => {
          const { setupToken, secret } = await beginOwnTotp(target.auth, call, shown({ code }));
          const first = totp(secret, target.clock.now());
          await confirmOwnTotp(target.auth, call, { setupToken, code: first });
        },
      ],
      ['another passkey', (call, code) => withPasskey(call, shown({ code }))],
      [
        'another password',
        (call) => {
          const input = {
            userId: call.caller.userId!,
            newPassword: `${PASSWORD} new`,
            currentPassword: PASSWORD,
          };
          return setPassword(target.auth, call, input);
        },
      ],
    ];

    it.each(owners)('with a stolen recovery code is void after %s', async (name, change) => {
      const { user, call } = await person(`ida-${name.replaceAll(' ', '-')}`);
      const { codes, code: ownCode } = await withApp(call);
      const thiefs = await beginOwnTotp(target.auth, call, shown({ code: codes[0]! }));
      const thiefsPasskey = await beginPasskey(target.auth, call, shown({ code: ownCode() }));
      target.clock.advance(30_000);
      await change(call, ownCode());
      const { factors } = target.auth.store.direct;
      const kept = [await factors.getTotp(user.userId), await factors.recoveryCodeHashes(user.userId)];
      const code = totp(thiefs.secret, target.clock.now());
      const late = confirmOwnTotp(target.auth, call, { setupToken: thiefs.setupToken, code });
      await expect(late).rejects.toMatchObject(refusal('setup_token'));
      const { setupToken, optionsJson } = thiefsPasskey;
      const credentialJson = new SoftwarePasskey('voice.example', ORIGIN).create(optionsJson);
      const made = createPasskey(target.auth, call, { setupToken, name: 'thief', credentialJson });
      await expect(made).rejects.toMatchObject(refusal('setup_token'));
      expect([await factors.getTotp(user.userId), await factors.recoveryCodeHashes(user.userId)]).toEqual(
        kept,
      );
    });

    it('ends once, also when it is sent twice at the same moment, or after the app was removed', async () => {
      const { user, call } = await person('jana');
      const { setupToken, secret } = await beginOwnTotp(target.auth, call, { currentPassword: PASSWORD });
      const confirm = () =>
        confirmOwnTotp(target.auth, call, { setupToken, code: totp(secret, target.clock.now()) });
      const both = await Promise.allSettled([confirm(), confirm()]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await expect(confirm()).rejects.toMatchObject(refusal('setup_token'));
      target.clock.advance(30_000);
      await removeOwnTotp(target.auth, call, shown({ code: totp(secret, target.clock.now()) }));
      await expect(confirm()).rejects.toMatchObject(refusal('setup_token'));
      expect(await target.auth.store.direct.factors.holders(user.userId)).toEqual(new Set());
    });

    it('a question to a passkey is void after a change, too', async () => {
      const { user, call } = await person('kai');
      const { passkey, codes } = await withPasskey(call);
      const asked = await beginFactorProof(target.auth, call);
      const credentialJson = passkey.get(asked.optionsJson, user.userId, { counter: 1 });
      await renewRecoveryCodes(target.auth, call, shown({ code: codes[0]! }));
      const late = renewRecoveryCodes(target.auth, call, shown({ proofToken: asked.ticket, credentialJson }));
      await expect(late).rejects.toMatchObject(refusal('proof.credential_json'));
    });
  });

  describe('with the password and a factor', () => {
    it('an app is replaced and removed, by its code or a recovery code, which is used up', async () => {
      const { user, call } = await person('dora');
      const app = await withApp(call);
      const setup = await beginOwnTotp(target.auth, call, shown({ code: app.code() }));
      const code = totp(setup.secret, target.clock.now());
      const codes = await confirmOwnTotp(target.auth, call, { setupToken: setup.setupToken, code });
      await renewRecoveryCodes(target.auth, call, shown({ code: codes[0]! }));
      await expect(removeOwnTotp(target.auth, call, shown({ code: codes[1]! }))).rejects.toMatchObject(
        refusal('proof.code'),
      );
      target.clock.advance(30_000);
      await removeOwnTotp(target.auth, call, shown({ code: totp(setup.secret, target.clock.now()) }));
      expect(await target.auth.store.direct.factors.holders(user.userId)).toEqual(new Set());
    });

    it('people who have only passkeys show one, or a recovery code', async () => {
      const { user, call } = await person('emil');
      const first = await withPasskey(call);
      const ask = () => beginFactorProof(target.auth, call);
      const asked = await ask();
      const answer = first.passkey.get(asked.optionsJson, user.userId, { counter: 1 });
      const proof = shown({ proofToken: asked.ticket, credentialJson: answer });
      const second = await withPasskey(call, proof);
      // Good once.
      await expect(renewRecoveryCodes(target.auth, call, proof)).rejects.toMatchObject(
        refusal('proof.credential_json'),
      );
      const other = await ask();
      const removal = shown({
        proofToken: other.ticket,
        credentialJson: second.passkey.get(other.optionsJson, user.userId, { counter: 1 }),
      });
      await removePasskey(target.auth, call, { passkeyId: second.passkeyId, ...removal });
      const last = { passkeyId: first.passkeyId, ...shown({ code: first.codes[0]! }) };
      await removePasskey(target.auth, call, last);
      expect(await target.auth.store.direct.factors.holders(user.userId)).toEqual(new Set());
      await expect(ask()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    });

    it('an answer that was given to sign in does not do, nor one of somebody else', async () => {
      const { user, call } = await person('fred');
      const { passkey } = await withPasskey(call);
      const browser = new Browser(target.url);
      const page = await browser.get(consoleRequest(target).address);
      const ticket = /name="ticket" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
      const question = (/data-options="([^"]+)"/.exec(page.html)?.[1] ?? '').replaceAll(
        /&#(\d+);/g,
        (_all, code: string) => String.fromCharCode(Number(code)),
      );
      expect([ticket, question]).not.toContain('');
      const signIn = passkey.get(question, user.userId, { counter: 1 });
      const phished = shown({ proofToken: ticket, credentialJson: signIn });
      await expect(renewRecoveryCodes(target.auth, call, phished)).rejects.toMatchObject(
        refusal('proof.credential_json'),
      );
      const gina = await person('gina');
      const hers = await withPasskey(gina.call);
      const asked = await beginFactorProof(target.auth, gina.call);
      const answer = hers.passkey.get(asked.optionsJson, gina.user.userId, { counter: 1 });
      const stolen = shown({ proofToken: asked.ticket, credentialJson: answer });
      await expect(renewRecoveryCodes(target.auth, call, stolen)).rejects.toMatchObject(
        refusal('proof.credential_json'),
      );
    });

    it('people without one set one up with the password, as before', async () => {
      const { user, call } = await person('hugo');
      await withApp(call);
      expect(await target.auth.store.direct.factors.getTotp(user.userId)).toBeDefined();
    });
  });
});
