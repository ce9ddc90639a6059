// Every place of the console that can be looked at, for the invented installation of seed.ts and seed-voices.ts.
import { registeredPages } from './registered-pages.js';
import type { SeededVoices } from './seed-voices.js';
import type { Seeded } from './seed.js';

export interface Places {
  paths: string[];
  /** Where, and the button that opens the dialog. */
  dialogs: (readonly [path: string, opener: string])[];
}

export function pagesOf(seeded: Seeded, voices: SeededVoices): Places {
  const application = `/applications/${seeded.applicationId}`;
  const environment = `${application}/environments/${seeded.appId}`;
  const site = `/engagement/sites/${seeded.siteId}`;
  const person = `/people/persons/${voices.person.gkId}`;
  const fraudster = `/people/fraudsters/${voices.fraudster.gkId}`;
  const group = `/people/groups/${voices.gkGroupId}`;
  const watchlist = `/people/watchlists/${voices.gkWatchlistId}`;
  const session = `/sessions/${voices.gkSessionId}`;
  const webhook = `/webhooks/${seeded.webhookId}`;
  const batch = `/batches/${seeded.batchId}`;
  return {
    paths: [
      ...registeredPages.flatMap(({ path }) => (path.includes(':') ? [] : path)),
      '/voice?tab=identify',
      '/voice?tab=watchlist',
      '/voice?tab=attacks',
      '/people?tab=fraudsters',
      '/people?tab=groups',
      '/people?tab=watchlists',
      person,
      fraudster,
      group,
      watchlist,
      '/sessions?tab=cases',
      '/sessions?tab=audit',
      '/sessions?tab=system',
      session,
      '/voice-search?tab=voices',
      '/voice-search?tab=searches',
      '/voice-search?tab=settings',
      '/accuracy?tab=thresholds',
      '/accuracy?tab=fairness',
      '/accuracy?tab=revisions',
      application,
      `${application}?tab=members`,
      environment,
      `${environment}?tab=tenants`,
      `${environment}?tab=requests`,
      `${environment}?tab=downloads`,
      `${environment}?tab=urns`,
      '/engagement?tab=sites',
      site,
      `${site}?tab=agents`,
      `${site}?tab=hours`,
      `${site}?tab=groups`,
      webhook,
      batch,
      '/help/guides/live-audio',
      '/help/reference/errors-and-reasons?at=low_reliability',
      '/profile?tab=credentials',
      '/profile?tab=password',
      '/profile?tab=factors',
      '/profile?tab=sessions',
      '/profile?tab=consents',
      '/no-such-page',
    ],
    dialogs: [
      ['/people', 'Add person'],
      [person, 'Opt out'],
      [person, 'Add to group'],
      [person, 'Erase personal data'],
      [person, 'Place hold'],
      [person, 'Lock'],
      [person, 'Delete voiceprint'],
      [group, 'Add person'],
      [watchlist, 'Delete watchlist'],
      [session, 'Record outcome'],
      [session, 'Check against a watchlist'],
      [session, 'Add caller to a watchlist'],
      [session, 'Add to a known fraudster'],
      [session, 'Lock the voiceprint'],
      [session, 'Note and case number'],
      [session, 'Assign'],
      ['/applications', 'New application'],
      [application, 'Rename'],
      [application, 'Delete application'],
      [application, 'New environment'],
      [`${application}?tab=members`, 'Add person'],
      [environment, 'Rename'],
      [environment, 'New client'],
      [environment, 'curl'],
      [environment, 'Edit'],
      [environment, 'New secret'],
      [environment, 'Lock'],
      [`${environment}?tab=tenants`, 'Revoke'],
      ['/engagement', 'Register client'],
      ['/engagement?tab=sites', 'Edit'],
      [`${site}?tab=agents`, 'New agent'],
      [`${site}?tab=hours`, 'Edit'],
      [`${site}?tab=groups`, 'New agent group'],
      ['/webhooks', 'Add webhook'],
      [webhook, 'Edit'],
      [webhook, 'New secret'],
      [webhook, 'Delete webhook'],
      ['/batches', 'New batch'],
      ['/tenants', 'New tenant'],
      ['/tenants', 'Rename'],
      ['/users', 'New user'],
      ['/users', 'Password'],
      ['/profile?tab=credentials', 'New credential'],
      ['/profile?tab=factors', 'Set up'],
      ['/profile?tab=sessions', 'Sign out'],
      ['/profile?tab=sessions', 'Sign out everywhere'],
      ['/users', 'Sign out'],
      ['/system', 'Rotate signing key'],
    ],
  };
}
