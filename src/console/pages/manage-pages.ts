// Pages about connections and the people who manage: applications, engagement clients, webhooks, batches, help, profile, users.
import type { PageEntry } from './page.js';

export const managePages: readonly PageEntry[] = [
  {
    path: '/applications',
    nav: { group: 'build', name: 'applications', icon: 'applications' },
    load: async () => (await import('./applications/applications.js')).ApplicationsPage,
  },
  {
    path: '/applications/:applicationId',
    under: '/applications',
    load: async () => (await import('./applications/application.js')).ApplicationPage,
  },
  {
    path: '/applications/:applicationId/environments/:appId',
    under: '/applications',
    load: async () => (await import('./applications/environment.js')).EnvironmentPage,
  },
  {
    path: '/engagement',
    nav: { group: 'build', name: 'engagement', icon: 'engagement' },
    load: async () => (await import('./engagement/engagement.js')).EngagementPage,
  },
  {
    path: '/engagement/sites/:siteId',
    under: '/engagement',
    load: async () => (await import('./engagement/site.js')).SitePage,
  },
  {
    path: '/webhooks',
    nav: { group: 'build', name: 'webhooks', icon: 'webhooks' },
    load: async () => (await import('./webhooks/webhooks.js')).WebhooksPage,
  },
  {
    path: '/webhooks/:webhookId',
    under: '/webhooks',
    ofTenant: true,
    load: async () => (await import('./webhooks/webhook.js')).WebhookPage,
  },
  {
    path: '/batches',
    nav: { group: 'operate', name: 'batches', icon: 'batches' },
    load: async () => (await import('./batches/batches.js')).BatchesPage,
  },
  {
    path: '/batches/:gkJobId',
    under: '/batches',
    ofTenant: true,
    load: async () => (await import('./batches/batch.js')).BatchPage,
  },
  {
    path: '/tenants',
    nav: { group: 'operate', name: 'tenants', icon: 'lock' },
    load: async () => (await import('./tenants/tenants.js')).TenantsPage,
  },
  {
    path: '/users',
    nav: { group: 'operate', name: 'users', icon: 'users' },
    load: async () => (await import('./account/users.js')).UsersPage,
  },
  {
    path: '/help',
    load: async () => (await import('./help/help.js')).HelpPage,
  },
  {
    path: '/help/:folder/:page',
    under: '/help',
    load: async () => (await import('./help/help.js')).GuidePage,
  },
  {
    path: '/profile',
    nav: { group: 'account', name: 'profile', icon: 'profile' },
    load: async () => (await import('./account/profile.js')).ProfilePage,
  },
];
