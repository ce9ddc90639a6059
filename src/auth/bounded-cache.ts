// A map with a size limit and a lifetime per entry: the oldest entry leaves first. Used wherever this domain
// remembers something about callers, so that no caller can make it grow without end.

export class BoundedCache<V> {
  readonly #sizeMax: number;
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, { value: V; expiresAtMs: number }>();

  constructor(sizeMax: number, lifetimeMs: number) {
    this.#sizeMax = sizeMax;
    this.#lifetimeMs = lifetimeMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, nowMs: number): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAtMs <= nowMs) {
      this.#entries.delete(key);
      return undefined;
    }
    return entry.value;
  }

  set(key: string, value: V, nowMs: number, expiresAtMs = nowMs + this.#lifetimeMs): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#sizeMax) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, { value, expiresAtMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
