// Where the services of a client configuration are reached. A service without an address does not exist here.

/** Addresses (host:port) by geography; '*' applies to every geography that is not named. */
export type Endpoint = Readonly<Record<string, string>>;

export function endpointIn(endpoint: Endpoint, geography: string): string | undefined {
  return Object.hasOwn(endpoint, geography) ? endpoint[geography] : endpoint['*'];
}
