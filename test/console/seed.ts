// Invented data for tests and screenshots of the console, made by the management API like everything else.
import type { ConsoleTest } from './support.js';

export interface Seeded {
  applicationId: string;
  appId: string;
  siteId: string;
  webhookId: string;
  batchId: string;
}

/** A few requests of a program, for the requests log: two that succeed and one that does not. */
async function callAs({ url, gkScopeId }: ConsoleTest, clientId: string, secret: string): Promise<void> {
  const granted = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  for (const path of ['/v1/x/persons', '/v1/x/sessions', '/v1/persons/nobody-0000/gkid'])
    await fetch(`${url}${path}?context.gkScopeId.value=${gkScopeId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
}

/** Switched off: nobody is at the other end. */
async function addWebhook(
  { gkScopeId }: ConsoleTest,
  api: (method: string, path: string, body: object) => Promise<{ webhook: { webhookId: string } }>,
): Promise<string> {
  const context = { gkScopeId: { value: gkScopeId } };
  const settings = {
    context,
    url: 'https://crm.bank.example/hooks/voice',
    description: 'CRM',
    types: ['voxgate.v1.Verify'],
  };
  const { webhook } = await api('POST', '/v1/webhooks', settings);
  await api('PUT', `/v1/webhooks/${webhook.webhookId}`, { ...settings, enabled: false });
  return webhook.webhookId;
}

/** A dry run, and over: what it shows does not change any more. */
async function addBatch(
  { gkScopeId }: ConsoleTest,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are read as plain JSON
  api: (method: string, path: string, body?: object) => Promise<any>,
): Promise<string> {
  const { gkJobId } = await api('POST', '/v1/batches:enroll', {
    context: { gkScopeId: { value: gkScopeId }, configsetId: 'telephone' },
    manifest: 'speaker_id,consent,media\nada,yes,none\nben,no,none',
    tag: 'main',
    dryRun: true,
    description: 'Voice ID 2025',
  });
  const path = `/v1/batches/${gkJobId}?context.gkScopeId.value=${gkScopeId}`;
  for (let state = ''; state !== 'BATCH_STATE_COMPLETED'; state = (await api('GET', path)).batch.state)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return gkJobId as string;
}

export async function seedConsole(console: ConsoleTest): Promise<Seeded> {
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await console.api(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { application } = await api('POST', '/v1/management/applications', {
    name: 'Telephone banking',
    environments: [
      { name: 'development', geographies: ['us', 'eu'], gkScopeIds: [console.gkScopeId] },
      { name: 'production', geographies: ['us'] },
    ],
  });
  const development = application.environments.find((each: { name: string }) => each.name === 'development');
  const appId: string = development.appId;
  const gateway = await api('POST', `/v1/management/environments/${appId}/clients`, {
    name: 'ivr-gateway',
    geography: 'us',
    allowedScopes: ['biosec', 'log'],
  });
  await callAs(console, gateway.client.clientId, gateway.clientSecret);
  await api('POST', '/v1/management/applications', {
    name: 'Agent desktop',
    environments: [{ name: 'test', geographies: ['eu'] }],
  });
  await api('POST', '/v1/management/users', {
    username: 'mira',
    displayName: 'Mira Okafor',
    role: 'USER_ROLE_MEMBER',
    gkScopeIds: [console.gkScopeId],
  });
  await api('POST', '/v1/management/users', {
    username: 'jonas',
    displayName: 'Jonas Lind',
    role: 'USER_ROLE_ADMINISTRATOR',
  });
  await api('POST', '/v1/management/me/credentials', {
    currentPassword: console.admin.password,
    name: 'nightly-report',
    type: 'TOOLING_CREDENTIAL_TYPE_SERVICE_ACCOUNT',
  });
  await api('POST', '/v1/management/me/credentials', {
    currentPassword: console.admin.password,
    name: 'desk tool',
    type: 'TOOLING_CREDENTIAL_TYPE_USER_ACCOUNT',
    redirectUris: ['http://127.0.0.1:7777/callback'],
    public: true,
  });
  const siteId = 'berlin';
  const site = `/v1/management/engagement/sites/${siteId}`;
  await api('PUT', site, { site: { siteId, name: 'Berlin service center', timeZone: 'Europe/Berlin' } });
  await api('PUT', `${site}/business-units/10`, {
    businessUnit: { siteId, businessUnitId: '10', name: 'Cards' },
  });
  await api('PUT', `${site}/agent-groups/cards-de`, {
    agentGroup: {
      siteId,
      agentGroupId: 'cards-de',
      businessUnitId: '10',
      name: 'Cards, German',
      queueCapacity: 5,
      queueLength: 1,
    },
  });
  const agents = [
    ['ada', 'Ada Brandt', 'AGENT_STATE_AVAILABLE', 3, 1],
    ['ben', 'Ben Sommer', 'AGENT_STATE_BUSY', 2, 2],
    ['cem', 'Cem Aydin', 'AGENT_STATE_OFFLINE', 3, 0],
  ] as const;
  for (const [agentId, name, state, slots, slotsUsed] of agents) {
    await api('PUT', `${site}/agents/${agentId}`, {
      agent: {
        siteId,
        agentId,
        name,
        agentGroupIds: ['cards-de'],
        state,
        slots,
        slotsUsed,
        attributes: { language: 'de' },
      },
    });
  }
  const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
  await api('PUT', `${site}/hours/always`, {
    hours: {
      siteId,
      hoursId: 'always',
      spans: days.map((day) => ({ weekday: `WEEKDAY_${day}`, startMinute: 0, endMinute: 1440 })),
    },
  });
  await api('POST', '/v1/management/engagement/clients', { name: 'Web chat', sites: [siteId] });
  return {
    applicationId: application.applicationId,
    appId,
    siteId,
    webhookId: await addWebhook(console, api),
    batchId: await addBatch(console, api),
  };
}
