// postgres:// addresses: one host or several (`postgres://user@a:5432,b:5432/name`), of which the one that
// accepts writes is used. The driver knows only single hosts, so each becomes an address of its own.

export interface PostgresAddresses {
  /** One address per host, in the order of the URL. */
  urls: readonly string[];
  /** Without passwords, for messages. */
  names: readonly string[];
  /** Whether a server that refuses writes is acceptable (`target_session_attrs=any`). */
  readOnlyWillDo: boolean;
}

const SESSION_PARAMETER = 'target_session_attrs';
const shape = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

/** Throws a plain Error that names the fault; the configuration reports it. */
export function parseAddresses(url: string): PostgresAddresses {
  const match = shape.exec(url);
  if (!match) throw new Error('database: must be postgres://USER:PASSWORD@HOST:PORT/NAME');
  const [, front = '', hostList = '', path = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get(SESSION_PARAMETER) ?? 'read-write';
  if (!['any', 'read-write', 'primary'].includes(wanted))
    throw new Error(`database: ${SESSION_PARAMETER} must be any, read-write or primary`);
  parameters.delete(SESSION_PARAMETER);
  const rest = parameters.size > 0 ? `${path}?${parameters.toString().replaceAll('+', '%20')}` : path;
  const hosts = hostList.split(',');
  for (const host of hosts) {
    if (hosts.length > 1 && host === '') throw new Error('database: has an empty host in its list');
    if (host !== '' && !/^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(:\d{1,5})?$/.test(host))
      throw new Error(`database: has a host that cannot be read: ${host}`);
  }
  return {
    urls: hosts.map((host) => `${front}${host}${rest}`),
    names: hosts.map((host) => host || parameters.get('host') || 'localhost'),
    readOnlyWillDo: wanted === 'any',
  };
}
