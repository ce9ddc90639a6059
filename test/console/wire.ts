// What a page costs over the wire when it is opened for the first time, as the browser itself counts it.
import type { Page } from 'playwright-core';

export interface Wire {
  /** Of all kinds, also those that lead elsewhere. */
  requests: number;
  /** As they came: packed, and with their headers. */
  bytes: number;
}

/** What is loaded from now on, with an empty cache; the answer is what has come so far. */
export async function countingWire(page: Page): Promise<() => Wire> {
  // What is on its way for the page before is not counted.
  await page.waitForLoadState('networkidle');
  const session = await page.context().newCDPSession(page);
  const wire: Wire = { requests: 0, bytes: 0 };
  session.on('Network.requestWillBeSent', ({ redirectResponse }) => {
    wire.requests++;
    wire.bytes += redirectResponse?.encodedDataLength ?? 0;
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    wire.bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  return () => ({ ...wire });
}
