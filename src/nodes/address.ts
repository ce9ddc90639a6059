// Where other nodes reach this one.

interface Place {
  host: string;
  /** 0: the one that is listened at. */
  port: number;
}

/** What is set, or where it listens; by the name of the machine where that is every address. */
export function reachedAt(set: Place | undefined, bound: Place, machine: string): string {
  const { host, port } = set ?? bound;
  const name = ['0.0.0.0', '::'].includes(host) ? machine : host;
  return `${name.includes(':') ? `[${name}]` : name}:${port || bound.port}`;
}
