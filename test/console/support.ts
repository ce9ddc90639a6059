// The console as a person meets it: the real server with a first administrator, and a real browser.
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Locator,
  type Page,
} from 'playwright-core';
import { bootstrap } from '../../src/compose/bootstrap.js';
import { openStorage } from '../../src/compose/storage.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { Browser as PlainBrowser } from '../auth/browser.js';
import { freePort } from '../support/free-port.js';
import { cheapPasswords } from '../support/passwords.js';
import { startTestServer, type RestAnswer } from '../support/server.js';

/** The headless shell first: without windows that nobody sees, the same pages take a quarter of the time. */
export const CHROMIUM_PATH = [
  process.env['VOXGATE_TEST_CHROMIUM'] ?? '',
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => existsSync(file));

export const HAS_CHROMIUM = CHROMIUM_PATH !== undefined;
/** Generous: the machine that runs the tests may be busy. */
export const PATIENCE_MS = Number(process.env['VOXGATE_TEST_PATIENCE_MS'] ?? 60_000);
/** Answers of the API are held back for up to this long: shows tests, and pages, that are right only when they come at once. */
const LATENCY_MS = Number(process.env['VOXGATE_TEST_LATENCY_MS'] ?? 0);

/** An installation that was made before, in a folder that is left as it is. */
export interface Installation extends Pick<ConsoleTest, 'admin' | 'gkScopeId'> {
  folder: string;
}

export interface ConsoleOptions {
  /** Nobody has a password yet; `setupUrl` is where the first one is chosen. */
  firstRun?: boolean;
  /** Where the installation is made, and stays; without it, it is removed in the end. */
  folder?: string;
  /** Works on a copy of this one instead of a new one. */
  copyOf?: Installation;
  /** One that is running already; it is left running. */
  browser?: Browser;
  /** For pictures: pages are drawn as a whole. */
  isSeen?: boolean;
}

export interface Look {
  colorScheme?: 'light' | 'dark';
  width?: number;
  locale?: string;
}

export interface ConsoleTest {
  url: string;
  admin: { username: string; password: string };
  /** The tenant that the calls of a test are about, by its system identifier and by its name. */
  gkScopeId: string;
  tenantName: string;
  /** Where the first password is chosen; undefined when there is one. */
  setupUrl: string | undefined;
  browser(): Promise<Browser>;
  /** A new browser profile with one empty page. */
  newPage(look?: Look): Promise<Page>;
  /** A new profile that has signed in and sees the first page. */
  signedIn(options?: Look & { username?: string; password?: string }): Promise<Page>;
  /** The management API as an administrator, without a browser. */
  api(method: string, path: string, body?: unknown): Promise<RestAnswer>;
  /** The address of a page of the tenant. */
  at(path: string): string;
  /** The next prompt asks for these digits instead of any. */
  drawNext(figures: string): void;
  /** The same server and browser with a new tenant of its own, ready to use: what it holds is nobody else's. */
  inTenant(name: string): Promise<ConsoleTest>;
  /** Remembers the profiles there are; the answer closes those made since, so that no page goes on polling unseen. */
  mark(): () => Promise<void>;
  stop(): Promise<void>;
}

const USUAL_HEIGHT = 900;

export const OTHER_NAME = 'voice-server.example';

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page that a test makes up comes from nowhere, and must not be asked whether it may talk to this machine.
  '--disable-features=LocalNetworkAccessChecks',
  // Another name of the same server, and not one that browsers trust without TLS.
  `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`,
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // No page is open for long enough to win back what the last compiler costs.
  '--js-flags=--no-turbofan',
];

function launch(): Promise<Browser> {
  return chromium.launch({
    ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
    args: browserArguments,
    timeout: PATIENCE_MS,
  });
}

export async function startConsole(options: ConsoleOptions = {}): Promise<ConsoleTest> {
  const home = options.folder ?? mkdtempSync(join(tmpdir(), 'voxgate-console-'));
  const port = await freePort();
  // By name: browsers have no passkeys for addresses.
  const url = `http://localhost:${port}`;
  const settings = {
    home,
    'http.address': `127.0.0.1:${port}`,
    publicUrl: url,
    'rateLimits.failedLoginsPerMinute': 10_000,
    'engine.workers': 1,
    'webhooks.privateNetworks': '127.0.0.1',
    'webhooks.plainHttp': true,
  };
  if (options.copyOf) cpSync(options.copyOf.folder, home, { recursive: true });
  const made = options.copyOf
    ? { ...options.copyOf, setupUrl: undefined }
    : await makeFirst(settings, options.firstRun ?? false);
  let figures: string | undefined;
  const drawn = (bytes: number): string => {
    if (figures === undefined || bytes !== figures.length) return systemIds.token(bytes);
    const digits = Buffer.from([...figures].map(Number)).toString('base64url');
    figures = undefined;
    return digits;
  };
  const server = await startTestServer({
    realAuth: true,
    config: settings,
    overrides: { ids: { ...systemIds, token: drawn } },
  });
  let running = options.browser && Promise.resolve(options.browser);
  const browser = (): Promise<Browser> => (running ??= launch());
  const contexts: BrowserContext[] = [];
  /** Profiles of the administrator, in the usual look. */
  const usual = new WeakSet<BrowserContext>();
  /** One that a suite is done with. The next goes on with it: a new one would load and compile the whole console again. */
  let spare: Page | undefined;
  /** The sign-in of the administrator, for further profiles: the login page is walked through once. Others have cookies from the start. */
  let signIn: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
  let token: string | undefined;

  const profile = async (look: Look, state?: typeof signIn): Promise<Page> => {
    const { colorScheme = 'light', width = 1280, locale = 'en-GB' } = look;
    const context = await (
      await browser()
    ).newContext({
      colorScheme,
      viewport: { width, height: USUAL_HEIGHT },
      locale,
      // Drawing motion frame by frame would take most of the time of a machine without graphics.
      reducedMotion: 'reduce',
      permissions: ['microphone', 'clipboard-read', 'clipboard-write'],
      ...(state && { storageState: state }),
    });
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    if (LATENCY_MS > 0)
      await context.route(/\/v1\//, async (route) => {
        await pause(Math.random() * LATENCY_MS);
        // The page may have gone on without it.
        await route.continue().catch(() => undefined);
      });
    const page = await context.newPage();
    if (!options.isSeen) await drawLittle(page);
    return page;
  };
  const own: ConsoleTest = {
    url,
    admin: made.admin,
    gkScopeId: made.gkScopeId,
    tenantName: 'demo',
    setupUrl: made.setupUrl,
    browser,
    newPage: (look = {}) => profile(look),
    async signedIn({ username, password = '', ...look } = {}) {
      const isAdmin = username === undefined;
      const isUsual = isAdmin && Object.keys(look).length === 0;
      const known = isUsual ? spare : undefined;
      if (known) {
        spare = undefined;
        contexts.push(known.context());
        await forget(known);
      }
      const page = known ?? (await profile(look, isAdmin ? signIn : undefined));
      if (isUsual) usual.add(page.context());
      if (!isAdmin) {
        const { browser: plain } = await signInPlainly(url, { username, password });
        const cookies = [...plain.cookies].map(([name, value]) => ({ name, value, url }));
        await page.context().addCookies(cookies);
      }
      await page.goto(`${url}/console/`);
      if (isAdmin && !signIn) {
        await page.getByRole('button', { name: 'Sign in' }).click();
        await fillLogin(page, made.admin.username, made.admin.password);
      }
      await page
        .locator('main h1')
        .getByText(/^(Hello|Hallo)/)
        .waitFor();
      if (isAdmin) signIn ??= await page.context().storageState();
      return page;
    },
    async api(method, path, body) {
      const send = async () => {
        token ??= await fetchToken(url, made.admin);
        return server.rest(method, path, { token, ...(body === undefined ? {} : { body }) });
      };
      const answer = await send();
      if (answer.status !== 401) return answer;
      // A browser of the same person was signed out, and the tokens of the console went with it.
      token = undefined;
      return send();
    },
    at: (path) => `${url}/console/t/demo${path}`,
    drawNext(next) {
      figures = next;
    },
    async inTenant(name) {
      const gkScopeId = await makeTenant(own, name);
      return { ...own, gkScopeId, tenantName: name, at: (path) => `${url}/console/t/${name}${path}` };
    },
    mark() {
      const known = contexts.length;
      return async () => {
        for (const context of contexts.splice(known)) {
          const [page, ...others] = context.pages();
          if (!spare && page && others.length === 0 && usual.has(context)) spare = page;
          else await context.close();
        }
      };
    },
    async stop() {
      for (const context of contexts) await context.close();
      await spare?.context().close();
      if (!options.browser) await (await running)?.close();
      await server.stop();
      if (options.folder === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
  return own;
}

const DRAWN_PX = 64;
const devtools = new WeakMap<Page, CDPSession>();

/**
 * Nobody sees these pages. They are laid out for the whole screen and take clicks everywhere on it, but only a corner is drawn:
 * drawing takes a machine without graphics a fifth of all that the browser does.
 */
async function drawLittle(page: Page): Promise<void> {
  const session = devtools.get(page) ?? (await page.context().newCDPSession(page));
  devtools.set(page, session);
  await session.send('Emulation.setVisibleSize', { width: DRAWN_PX, height: DRAWN_PX });
}

/** Another screen, of which no more is drawn than of the one before. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await drawLittle(page);
}

/** As if it was a new profile, but for the sign-in and what the browser keeps of the program. */
async function forget(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['console', 'dialog', 'pageerror', 'request', 'response'])
    page.removeAllListeners(event);
  await page.context().setOffline(false);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await resize(page, { width: 1280, height: USUAL_HEIGHT });
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
}

async function makeTenant({ api }: ConsoleTest, name: string): Promise<string> {
  const call = async (method: string, path: string, body: object) => {
    const answer = await api(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { gkScopeId } = await call('POST', '/v1/scopes', {
    scopeId: name,
    details: { scopeType: 'SCOPE_TYPE_DEMO' },
    scopeProfile: 'SCOPE_PROFILE_DEFAULT',
    expectedPersonsNumber: 100,
  });
  await call('PUT', `/v1/scopes/${gkScopeId.value}/state`, { scopeState: 'SCOPE_STATE_ACTIVE' });
  const made = await call('POST', '/v1/configsets', {
    context: { gkScopeId },
    configsetId: 'telephone',
    type: 'CONFIGSET_TYPE_OPERATIONAL',
    performValidation: true,
    sourceTemplateId: 'ContactCenterDefault',
  });
  await call('PUT', `/v1/configsets/revisions/${made.gkConfigsetRevisionId.value}:activate`, {
    context: { gkScopeId },
  });
  return gkScopeId.value;
}

/** The server's own login page, wherever it is shown. */
export async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function makeFirst(
  settings: Record<string, unknown>,
  firstRun: boolean,
): Promise<Pick<ConsoleTest, 'admin' | 'gkScopeId' | 'setupUrl'>> {
  const config = configWith({ ...settings, 'log.level': 'silent' });
  const core = { config, clock: systemClock, ids: systemIds, log: silentLog, passwords: cheapPasswords };
  const storage = await openStorage(config, systemClock);
  try {
    const made = await bootstrap(core, storage, firstRun ? 'by-link' : 'kept');
    return {
      admin: { username: made.admin.username, password: made.admin.password ?? '' },
      gkScopeId: made.scope.gk_scope_id,
      setupUrl: made.admin.setup_url,
    };
  } finally {
    await storage.close();
  }
}

/** Somebody who has signed in before and replaced the password they were given. */
export async function makePerson(
  { url, api }: ConsoleTest,
  username: string,
  password: string,
): Promise<void> {
  const given = await api('POST', '/v1/management/users', { username, role: 'USER_ROLE_MEMBER' });
  if (given.status !== 200) throw new Error(JSON.stringify(given.body));
  const browser = new PlainBrowser(url);
  const { address } = consoleRequest(url);
  const login = await browser.get(address);
  const form = { user_name: username, password: given.body.password as string };
  const asked = await browser.follow(await browser.submit(login, form));
  await browser.submit(asked, { password, password_again: password });
  await browser.get(`${url}/oauth2/logout`, { 'sec-fetch-site': 'same-origin' });
}

function consoleRequest(url: string): { address: string; verifier: string; redirectUri: string } {
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = `${url}/console/callback`;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'console',
    redirect_uri: redirectUri,
    scope: 'platform-api',
    state: 'test',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { address: `${url}/oauth2/authorize?${query.toString()}`, verifier, redirectUri };
}

/** The login page, without a browser to show it; the answer leads back to the console. */
async function signInPlainly(url: string, { username, password }: ConsoleTest['admin']) {
  const { address, verifier, redirectUri } = consoleRequest(url);
  const browser = new PlainBrowser(url);
  const login = await browser.get(address);
  const answer = await browser.follow(await browser.submit(login, { user_name: username, password }));
  return { browser, answer, verifier, redirectUri };
}

/** The console's own sign-in, without its pages. */
async function fetchToken(url: string, admin: ConsoleTest['admin']): Promise<string> {
  const { answer, verifier, redirectUri } = await signInPlainly(url, admin);
  const code = new URL(answer.location ?? url).searchParams.get('code') ?? '';
  const response = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'console',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Follows the link that an administrator was shown, chooses a password, and is signed in. */
export async function acceptInvitation(console: ConsoleTest, link: string, password: string): Promise<Page> {
  const page = await console.newPage();
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password again').fill(password);
  await page.getByRole('button', { name: 'Set the password and continue' }).click();
  await page.getByRole('heading', { name: /^Hello/ }).waitFor();
  return page;
}

/** A button or link, by the keyboard. A click waits until what it is to press is enabled, a key does not: it would be lost. */
export const pressKey = (what: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> =>
  what.and(what.page().locator(':not(:disabled, [aria-disabled=true])')).press(key);

/** Types the word a confirmation asks for, and confirms. */
export async function confirmByTyping(page: Page, word: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Type/).fill(word);
  await dialog.getByRole('button', { name: action, exact: true }).click();
}

/** Closes the dialog that shows a secret once; answers the secret. */
export async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Shown only once').waitFor();
  const secret = await dialog
    .locator('.copy', { has: page.getByRole('button', { name: 'Copy client secret' }) })
    .first()
    .locator('code')
    .innerText();
  await dialog.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}
