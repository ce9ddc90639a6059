// The kinds of settings: how the text or JSON value of each is read and checked, and what it may be, in words.

/** One setting: how its text or JSON value is read, and what it means. A thrown string is the fault. */
export interface Setting<T> {
  fallback: T;
  read(raw: unknown): T;
  /** What it may be, in words: `1 to 256`, `true or false`. */
  type: string;
  doc: string;
  /** Never printed. */
  secret?: boolean;
  /** What it was called before, in the same section; it is read where the present name is not there. */
  earlierName?: string;
}

/** A setting that was renamed. */
export function formerly<T>(earlierName: string, setting: Setting<T>): Setting<T> {
  return {
    ...setting,
    earlierName,
    doc: `${setting.doc} Until 0.1 it was called ${earlierName}, which is still read.`,
  };
}

export interface HostPort {
  host: string;
  port: number;
}

export function text(fallback: string, doc: string): Setting<string> {
  return {
    fallback,
    type: 'text',
    doc,
    read: (raw) => {
      if (typeof raw !== 'string') throw new Error('must be text');
      return raw;
    },
  };
}

/** Addresses (host:port) by geography; '*' holds for every geography that is not named. */
type Endpoints = Readonly<Record<string, string>>;

/** One address for all geographies, or one for each. */
export function endpoints(doc: string): Setting<Endpoints> {
  return {
    fallback: {},
    type: 'HOST:PORT, or GEOGRAPHY=HOST:PORT separated by commas',
    doc,
    read: (raw) => {
      const found = typeof raw === 'string' ? parseEndpoints(raw) : undefined;
      if (!found) throw new Error('must be HOST:PORT, or GEOGRAPHY=HOST:PORT separated by commas');
      return found;
    },
  };
}

export function secret(fallback: string, doc: string): Setting<string> {
  return { ...text(fallback, doc), type: 'secret text', secret: true };
}

export function integer(fallback: number, least: number, most: number, doc: string): Setting<number> {
  return {
    fallback,
    type: `${least} to ${most}`,
    doc,
    read: (raw) => {
      const value = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
      if (typeof value !== 'number' || !Number.isInteger(value)) throw new Error('must be a whole number');
      if (value < least || value > most) throw new Error(`must be from ${least} to ${most}`);
      return value;
    },
  };
}

export function flag(fallback: boolean, doc: string): Setting<boolean> {
  return {
    fallback,
    type: 'true or false',
    doc,
    read: (raw) => {
      if (raw === true || raw === 'true' || raw === '1') return true;
      if (raw === false || raw === 'false' || raw === '0') return false;
      throw new Error('must be true or false');
    },
  };
}

export function choice<const T extends string>(
  options: readonly T[],
  fallback: NoInfer<T>,
  doc: string,
): Setting<T> {
  return {
    fallback,
    type: options.join(', '),
    doc,
    read: (raw) => {
      const found = options.find((option) => option === raw);
      if (found === undefined) throw new Error(`must be one of ${options.join(', ')}`);
      return found;
    },
  };
}

export function address(fallback: string, doc: string): Setting<HostPort> {
  return { fallback: parseAddress(fallback), type: 'HOST:PORT', doc, read: parseAddress };
}

export function parseAddress(raw: unknown): HostPort {
  const match = typeof raw === 'string' ? /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(raw) : null;
  const port = Number(match?.[3]);
  if (!match || port > 65_535) throw new Error('must be HOST:PORT');
  return { host: (match[1] ?? match[2]) as string, port };
}

const endpointPattern = /^(?:\[[0-9a-fA-F:]+\]|[^\s/:=,[\]]+):\d{1,5}$/;
const geographyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function parseEndpoints(text: string): Endpoints | undefined {
  const found: Record<string, string> = {};
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const equals = part.indexOf('=');
    const geography = equals < 0 ? '*' : part.slice(0, equals).trim();
    const endpoint = part.slice(equals + 1).trim();
    if (geography !== '*' && !geographyPattern.test(geography)) return undefined;
    if (!endpointPattern.test(endpoint) || Object.hasOwn(found, geography)) return undefined;
    found[geography] = endpoint;
  }
  return found;
}
