// Applications as the management API answers them, and what the pages say about them.
export interface Member {
  userId: string;
  role: 'APPLICATION_ROLE_OWNER' | 'APPLICATION_ROLE_MEMBER';
  username?: string;
  displayName?: string;
}

export interface Environment {
  appId: string;
  applicationId: string;
  name: string;
  geographies?: string[];
  gkScopeIds?: string[];
  contextTag?: string;
  clientCount?: number;
  creationTimestamp?: string;
}

export interface Application {
  applicationId: string;
  name: string;
  members?: Member[];
  environments?: Environment[];
  callerRole?: Member['role'];
  creationTimestamp?: string;
}

export interface Client {
  clientId: string;
  appId: string;
  name: string;
  geography?: string;
  allowedScopes?: string[];
  dpopBound?: boolean;
  locked?: boolean;
  hasSecret?: boolean;
  hasKeys?: boolean;
  secretCreatedTimestamp?: string;
  previousSecretExpiresTimestamp?: string;
  lastUsedTimestamp?: string;
  creationTimestamp?: string;
}

export interface NewClient {
  client: Client;
  clientSecret?: string;
}

export const runtimeScopes = ['asr', 'asr.wordset', 'nlu', 'nlu.wordset', 'dlg', 'tts', 'log', 'biosec'];

export const applicationPath = (id: string): string =>
  `/v1/management/applications/${encodeURIComponent(id)}`;
export const environmentPath = (id: string): string =>
  `/v1/management/environments/${encodeURIComponent(id)}`;
export const clientPath = (id: string): string => `/v1/management/clients/${encodeURIComponent(id)}`;

/** A line for the shell that fetches a token. The client ID is percent-encoded, as RFC 6749 asks of Basic. */
export function tokenCurl(clientId: string, secret: string, scopes: readonly string[]): string {
  const scope = scopes.includes('biosec') ? 'biosec' : scopes.join(' ');
  return [
    `curl -u '${encodeURIComponent(clientId)}:${secret}' \\`,
    `  -d grant_type=client_credentials -d scope='${scope}' \\`,
    `  ${location.origin}/oauth2/token`,
  ].join('\n');
}

/** "us, eu" as a list. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}
