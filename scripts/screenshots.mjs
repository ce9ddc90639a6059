// Photographs every page of the console into docs/console/, from a server made for the purpose and filled
// with invented data. Usage: node scripts/screenshots.mjs [--out FOLDER] [name ...]
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { register } from 'tsx/esm/api';
import { readArguments } from './arguments.mjs';
import { build, root, say } from './setup.mjs';

const { values, positionals: wanted } = readArguments(
  `
usage: node scripts/screenshots.mjs [--out FOLDER] [NAME ...]

Photographs the pages of the console, or those named, into docs/console or FOLDER.`,
  { out: { type: 'string', default: join(root, 'docs', 'console') } },
  { allowPositionals: true },
);

register();
const { startConsole } = await import('../test/console/support.ts');
const { seedConsole } = await import('../test/console/seed.ts');
const { seedVoices } = await import('../test/console/seed-voices.ts');
const { aliveForChecks, giveFile, openSession, sendVoice, speakInto } =
  await import('../test/console/voices.ts');

const folder = resolve(values.out);
mkdirSync(folder, { recursive: true });

await build();
const receiver = createServer((request, response) => {
  request.resume();
  response.end();
});
await new Promise((done) => receiver.listen(0, '127.0.0.1', done));
const console_ = await startConsole({ isSeen: true });
try {
  const seeded = await seedConsole(console_);
  const voices = await seedVoices(console_);
  const app = `/applications/${seeded.applicationId}`;
  const environment = `${app}/environments/${seeded.appId}`;
  const site = `/engagement/sites/${seeded.siteId}`;
  const dark = { colorScheme: 'dark' };
  const phone = { width: 390 };
  const person = `/people/persons/${voices.person.gkId}`;
  const session = `/sessions/${voices.gkSessionId}`;

  const tenant = { gkScopeId: { value: console_.gkScopeId } };
  const query = `context.gkScopeId.value=${console_.gkScopeId}`;
  /** What an analyst has written down about the call with the fraudster. */
  const { body: investigated } = await console_.api(
    'GET',
    `/v1/x/sessions/${voices.gkSessionId}/timeline?${query}`,
  );
  const { gkEngagementId } = investigated.engagement;
  await console_.api('PATCH', '/v1/engagements/details', {
    context: { ...tenant, gkEngagementId },
    gkEngagementId,
    details: { customData: { caseNumber: 'F-2031', note: 'Asked for a new card and another address.' } },
    fieldMask: 'customData',
  });
  /** One voice that calls under three names, and the legal basis to look for it. */
  for (const [sentence, name] of ['anna-4711', 'bruno-0815', 'dora-2231'].entries()) {
    const { body } = await console_.api('GET', `/v1/persons/${name}/gkid?${query}`);
    const context = await openSession(console_, 'SESSION_TYPE_CALL_CENTER', {
      sessionId: `call-2090${sentence + 1}`,
      ani: '+4930555877',
      claimedGkPersonId: body.gkPersonId,
    });
    const gkMediaSegmentId = await sendVoice(console_, context, 'emil', 3 + sentence);
    await console_.api('POST', '/v1/audios/process', { context, gkMediaSegmentId });
    await console_.api('PUT', '/v1/sessions/stop', { context });
  }
  const made = await console_.api('POST', '/v1/configsets', {
    context: tenant,
    configsetId: 'SCOPE',
    type: 'CONFIGSET_TYPE_OPERATIONAL',
    rawContent: Buffer.from(JSON.stringify({ voiceSearch: { hasLegalBasis: true } })).toString('base64'),
  });
  await console_.api('PUT', `/v1/configsets/revisions/${made.body.gkConfigsetRevisionId.value}:activate`, {
    context: tenant,
  });
  const lookFor = async (page) => {
    await page.getByRole('combobox', { name: 'Fraudster' }).fill('case-118');
    await page.getByRole('option', { name: /^case-118/ }).click();
    await page.getByRole('button', { name: 'Search stored calls' }).click();
    await page
      .getByRole('region', { name: 'Result' })
      .getByRole('row', { name: /dora-2231/ })
      .waitFor();
  };
  const lookForVoices = async (page) => {
    await page.getByRole('button', { name: 'Search stored calls' }).click();
    await page.getByRole('region', { name: 'Voice 1', exact: true }).getByRole('link').nth(2).waitFor();
  };

  /** The lab with somebody's voice already known, and a fresh take of it. */
  const verified = async (page) => {
    await aliveForChecks(page);
    await page.getByLabel('Whose voice').fill('anna-4711');
    await page.getByText('anna-4711 has a trained voiceprint').waitFor();
    await giveFile(page, 'anna', 4);
    await page.locator('.outcome').waitFor();
    await page.getByRole('img', { name: /^Spectrogram/ }).waitFor();
  };
  const recording = async (page) => {
    await speakInto(page, 'anna', [1, 2, 3, 4, 5]);
    await page.reload();
    await page.getByLabel('Whose voice').fill('newcomer');
    await page.getByRole('button', { name: 'Record sample 1' }).click();
    await page.getByRole('button', { name: 'Record sample 2' }).click({ timeout: 60_000 });
    await page.getByText(/[23]\.\d of \d s of speech/).waitFor();
  };
  const given = (voice, sentence) => async (page) => {
    await giveFile(page, voice, sentence);
    await page.locator('.outcome').first().waitFor();
    await page.getByRole('img', { name: /^Spectrogram/ }).waitFor();
  };
  const threshold = async (page) => {
    await page.getByRole('button', { name: 'Find threshold' }).click();
    await page.getByText('This threshold cannot be saved').waitFor();
  };
  const measured = (page) => page.getByRole('heading', { name: 'DET curve' }).waitFor();
  const attacked = async (page) => {
    // What the checks themselves say, not what they would say of somebody who is alive.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await giveFile(page, 'dora', 4);
    await page.getByRole('region', { name: 'Synthetic speech' }).waitFor();
    await drawn(page);
  };
  /** Other digits than those that were drawn. */
  const repeated = async (page) => {
    console_.drawNext('7351');
    await page.getByRole('button', { name: 'Draw digits' }).click();
    await page.locator('main input[type=file]').setInputFiles({
      name: 'answer.wav',
      mimeType: 'audio/wav',
      buffer: readFileSync(join(root, 'test', 'fixtures', 'words', 'slt-7391.wav')),
    });
    await page.getByRole('region', { name: 'Result for answer.wav' }).waitFor();
    await drawn(page);
  };
  const drawn = (page) =>
    page
      .getByRole('img', { name: /^Spectrogram/ })
      .first()
      .waitFor();
  const search = async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByLabel('Search').fill('keller');
    await page.getByRole('option', { name: /^anna-4711/ }).waitFor();
  };
  /** A webhook that works: with somebody at the other end. */
  const hooked = async (page) => {
    const url = `http://127.0.0.1:${receiver.address().port}/hooks/voice`;
    const context = { gkScopeId: { value: console_.gkScopeId } };
    await console_.api('POST', '/v1/webhooks', { context, url, description: 'Fraud desk' });
    await page.reload();
    await page.getByText('Fraud desk').waitFor();
  };
  const openWebhook = async (page) => {
    await page.getByRole('link', { name: /^127/ }).first().click();
    await page.getByText('No undelivered events').waitFor();
  };
  const click = (name) => (page) => page.getByRole('button', { name }).first().click();

  /** File name, path, and what else: the theme, the width, the whole length, something to do before the picture. */
  const shots = [
    { name: 'home', path: '/' },
    { name: 'home-dark', path: '/', ...dark },
    { name: 'home-phone', path: '/', ...phone },
    { name: 'voice-lab-phone', path: '/voice', ...phone },
    { name: 'voice-verified', path: '/voice', before: verified, full: true },
    { name: 'voice-verified-dark', path: '/voice', before: verified, full: true, ...dark },
    { name: 'voice-verified-phone', path: '/voice', before: verified, full: true, ...phone },
    { name: 'voice-identify', path: '/voice?tab=identify', before: given('bruno', 4), full: true },
    { name: 'voice-watchlist', path: '/voice?tab=watchlist', before: given('carl', 5), full: true },
    { name: 'voice-attacks', path: '/voice?tab=attacks', before: attacked, full: true },
    { name: 'voice-digits', path: '/voice?tab=digits&person=anna-4711', before: repeated, full: true },
    { name: 'people', path: '/people' },
    { name: 'people-phone', path: '/people', ...phone },
    { name: 'person', path: person, full: true },
    { name: 'person-dark', path: person, full: true, ...dark },
    { name: 'person-phone', path: person, full: true, ...phone },
    { name: 'fraudster', path: `/people/fraudsters/${voices.fraudster.gkId}` },
    { name: 'groups', path: '/people?tab=groups' },
    { name: 'group', path: `/people/groups/${voices.gkGroupId}` },
    { name: 'watchlist', path: `/people/watchlists/${voices.gkWatchlistId}` },
    { name: 'sessions', path: '/sessions' },
    { name: 'sessions-phone', path: '/sessions', ...phone },
    { name: 'session', path: session, before: drawn, full: true },
    { name: 'session-dark', path: session, before: drawn, full: true, ...dark },
    { name: 'session-phone', path: session, before: drawn, full: true, ...phone },
    { name: 'cases', path: '/sessions?tab=cases&cases=all' },
    { name: 'audit', path: '/sessions?tab=audit' },
    { name: 'installation-audit', path: '/sessions?tab=system' },
    { name: 'search', path: '/', before: search },
    { name: 'voice-search', path: '/voice-search', before: lookFor, full: true },
    { name: 'voice-search-voices', path: '/voice-search?tab=voices', before: lookForVoices, full: true },
    {
      name: 'voice-search-phone',
      path: '/voice-search?tab=voices',
      before: lookForVoices,
      full: true,
      ...phone,
    },
    { name: 'accuracy', path: '/accuracy', before: measured, full: true },
    { name: 'accuracy-dark', path: '/accuracy', before: measured, full: true, ...dark },
    { name: 'accuracy-phone', path: '/accuracy', before: measured, full: true, ...phone },
    { name: 'thresholds', path: '/accuracy?tab=thresholds', before: threshold, full: true },
    { name: 'applications', path: '/applications' },
    { name: 'new-application', path: '/applications', before: click('New application') },
    { name: 'application', path: app },
    { name: 'environment', path: environment },
    { name: 'environment-dark', path: environment, ...dark },
    { name: 'environment-phone', path: environment, full: true, ...phone },
    { name: 'requests', path: `${environment}?tab=requests` },
    { name: 'downloads', path: `${environment}?tab=downloads` },
    { name: 'resource-names', path: `${environment}?tab=urns` },
    { name: 'engagement', path: '/engagement' },
    { name: 'sites', path: '/engagement?tab=sites' },
    { name: 'availability', path: site },
    { name: 'agents', path: `${site}?tab=agents` },
    { name: 'agents-phone', path: `${site}?tab=agents`, full: true, ...phone },
    { name: 'hours', path: `${site}?tab=hours` },
    { name: 'agent-groups', path: `${site}?tab=groups` },
    { name: 'webhooks', path: '/webhooks', before: hooked },
    { name: 'webhook', path: '/webhooks', before: openWebhook, full: true },
    { name: 'batches', path: '/batches' },
    { name: 'batch', path: `/batches/${seeded.batchId}`, full: true },
    { name: 'batch-dark', path: `/batches/${seeded.batchId}`, full: true, ...dark },
    { name: 'batch-phone', path: `/batches/${seeded.batchId}`, full: true, ...phone },
    { name: 'new-batch', path: '/batches', before: click('New batch') },
    { name: 'profile', path: '/profile' },
    { name: 'credentials', path: '/profile?tab=credentials' },
    { name: 'users', path: '/users' },
    { name: 'tenants', path: '/tenants' },
    { name: 'system', path: '/system', full: true },
    { name: 'system-dark', path: '/system', full: true, ...dark },
    // Last: it enrolls a voice a second time, which the accuracy report would take for a stranger.
    { name: 'voice-lab', path: '/voice', before: recording },
  ];
  const take = async (page, name, full = false) => {
    const file = join(folder, `${name}.png`);
    const size = page.viewportSize();
    await page.evaluate('document.activeElement?.blur()');
    // As a long window and not as a long page: what sticks to the window must stand where it belongs.
    if (full) {
      const height = await page.evaluate('document.documentElement.scrollHeight');
      await page.setViewportSize({ ...size, height: Math.max(size.height, height) });
      await page.evaluate('scrollTo(0, 0)');
    }
    await page.screenshot({ path: file, animations: 'disabled' });
    await page.setViewportSize(size);
    say(`${name}.png  ${Math.round(statSync(file).size / 1024)} kB`);
  };
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  if (isWanted('sign-in') || isWanted('login')) {
    const page = await console_.newPage();
    await page.goto(`${console_.url}/console/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await take(page, 'sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User name').waitFor();
    await take(page, 'login');
  }
  if (isWanted('first-run') || isWanted('setup')) {
    const fresh = await startConsole({ firstRun: true, isSeen: true });
    const page = await fresh.newPage();
    await page.goto(fresh.url);
    await page.getByText('One step to get started').waitFor();
    await take(page, 'first-run');
    await page.goto(fresh.setupUrl);
    await take(page, 'setup');
    await fresh.stop();
  }
  // One sign-in for each look: the pages of a look share a browser profile.
  const pages = new Map();
  for (const { name, path, before, full, colorScheme = 'light', width = 1280 } of shots) {
    if (!isWanted(name)) continue;
    const look = `${colorScheme} ${width}`;
    if (!pages.has(look)) pages.set(look, await console_.signedIn({ colorScheme, width }));
    const page = pages.get(look);
    await page.goto(console_.at(path));
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    try {
      await before?.(page);
    } catch (error) {
      await take(page, `failed-${name}`);
      throw error;
    }
    await take(page, name, full);
  }
} finally {
  await console_.stop();
}
process.exit(0);
