// English: the home page.

export const text = {
  hello: (name: string) => `Hello, ${name}`,
  tenant: 'You are working in the tenant {tenant}.',
  noTenantAdmin: 'There is no tenant yet. {create} to begin.',
  createTenant: 'Create the first one',
  noTenant: 'Your account has no tenant yet. Ask an administrator to grant you one.',
  hero: {
    title: 'Try your voice',
    text: 'Three short recordings make a voiceprint. Then say anything, and see whether it recognizes you. It takes about a minute, and all you need is a microphone.',
    button: 'Try your voice',
  },
  doors: {
    connect: {
      title: 'Connect an application',
      text: 'Get an application ID and client credentials, download config.json, and copy a curl command that fetches a token.',
      action: 'Manage applications',
      more: 'Tooling credentials',
    },
    people: {
      title: 'Know your callers',
      text: 'See who is enrolled, manage groups and watchlists, take care of consent, and follow every decision step by step.',
      action: 'People and watchlists',
      more: 'Sessions and audit',
    },
    limits: {
      title: 'Set the limits',
      text: 'Choose thresholds by the false-accept rate you can accept, measured on your own voices, and try them in shadow mode.',
      action: 'Accuracy and thresholds',
      more: 'System',
    },
  },
  foot: 'The console uses the public API and nothing else: read its {reference} or get the {openapi}.',
  reference: 'reference',
  openapi: 'OpenAPI document',
};
