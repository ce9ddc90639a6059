// Shares one request between all callers that ask the same at the same moment: fifty rows that name one
// person ask for the name once.

const pending = new Map<string, Promise<unknown>>();

export function shared<T>(key: string, ask: () => Promise<T>): Promise<T> {
  const present = pending.get(key) as Promise<T> | undefined;
  if (present) return present;
  const asked = ask().finally(() => pending.delete(key));
  pending.set(key, asked);
  return asked;
}
