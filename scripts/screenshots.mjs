// Photographs every page of the console into docs/console/, from a server made for the purpose and filled
// with invented data. Usage: node scripts/screenshots.mjs [name ...]
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';
import { root, say } from './setup.mjs';

register();
const { startConsole } = await import('../test/console/support.ts');
const { seedConsole } = await import('../test/console/seed.ts');

const folder = join(root, 'docs', 'console');
mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);

const console_ = await startConsole();
try {
  const seeded = await seedConsole(console_);
  const app = `/applications/${seeded.applicationId}`;
  const environment = `${app}/environments/${seeded.appId}`;
  /** File name, path, and what else: the theme, the width, something to do before the picture. */
  const shots = [
    { name: 'home', path: '/' },
    { name: 'home-dark', path: '/', colorScheme: 'dark' },
    { name: 'home-phone', path: '/', width: 390 },
    { name: 'applications', path: '/applications' },
    { name: 'application', path: app },
    { name: 'environment', path: environment },
    { name: 'environment-dark', path: environment, colorScheme: 'dark' },
    { name: 'environment-phone', path: environment, width: 390 },
    { name: 'downloads', path: `${environment}?tab=downloads` },
    { name: 'engagement', path: '/engagement' },
    { name: 'availability', path: `/engagement/sites/${seeded.siteId}` },
    { name: 'agents', path: `/engagement/sites/${seeded.siteId}?tab=agents` },
    { name: 'hours', path: `/engagement/sites/${seeded.siteId}?tab=hours` },
    { name: 'profile', path: '/profile' },
    { name: 'credentials', path: '/profile?tab=credentials' },
    { name: 'users', path: '/users' },
    { name: 'tenants', path: '/tenants' },
    { name: 'voice-lab', path: '/voice' },
    { name: 'voice-lab-phone', path: '/voice', width: 390 },
    { name: 'people', path: '/people' },
    { name: 'sessions', path: '/sessions' },
    { name: 'accuracy', path: '/accuracy' },
    { name: 'system', path: '/system' },
    { name: 'system-dark', path: '/system', colorScheme: 'dark' },
  ];
  const take = async (page, name) => {
    const file = join(folder, `${name}.png`);
    await page.waitForLoadState('networkidle');
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await page.evaluate('document.activeElement?.blur()');
    await page.screenshot({ path: file, animations: 'disabled' });
    say(`${name}.png  ${Math.round(statSync(file).size / 1024)} kB`);
  };
  if (wanted.length === 0 || wanted.includes('sign-in')) {
    const page = await console_.newPage();
    await page.goto(`${console_.url}/console/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await take(page, 'sign-in');
  }
  // One sign-in for each look: the pages of a look share a browser profile.
  const pages = new Map();
  for (const { name, path, colorScheme = 'light', width = 1280 } of shots) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const look = `${colorScheme} ${width}`;
    if (!pages.has(look)) pages.set(look, await console_.signedIn({ colorScheme, width }));
    const page = pages.get(look);
    await page.goto(`${console_.url}/console${path}`);
    await page.locator('main h1').waitFor();
    await take(page, name);
  }
} finally {
  await console_.stop();
}
process.exit(0);
