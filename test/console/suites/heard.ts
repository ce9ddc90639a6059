// What only the player itself can tell.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PATIENCE_MS } from '../support.js';

/** Waits until a recording that was asked for has come as far as its first sound. */
export async function heardSomething(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate<number>('document.querySelector("audio")?.readyState ?? 0'), {
      timeout: PATIENCE_MS,
    })
    .toBeGreaterThan(0);
}
