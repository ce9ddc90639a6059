// Shell commands that fetch a token. The client ID is percent-encoded, as RFC 6749 requires for Basic.

export function tokenCurl(clientId: string, secret: string, scopes: readonly string[]): string {
  const scope = scopes.includes('biosec') ? 'biosec' : scopes.join(' ');
  return [
    `curl -u '${encodeURIComponent(clientId)}:${secret}' \\`,
    `  -d grant_type=client_credentials -d scope='${scope}' \\`,
    `  ${location.origin}/oauth2/token`,
  ].join('\n');
}
