// Documents that hold personal data: JSON, sealed under the tenant's key and bound to their row.
import type { TenantSealer } from './keyring.js';

export function sealJson(sealer: TenantSealer, place: string, value: unknown): Uint8Array {
  return sealer.seal(new TextEncoder().encode(JSON.stringify(value)), place);
}

export function openJson<T>(sealer: TenantSealer, place: string, sealed: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(sealer.open(sealed, place))) as T;
}
