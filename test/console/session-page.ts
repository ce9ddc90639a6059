// The page of a session as a person uses it: its parts open on request, and the rarer steps are behind 'More'.
import type { Locator, Page } from 'playwright-core';

/** By the name that applications gave it: the title names the caller. */
export const shownSession = (page: Page, name: string): Promise<void> =>
  page.locator('.page-head p').getByText(name, { exact: true }).waitFor();

export async function takeStep(page: Page, name: string): Promise<void> {
  const steps = page.getByRole('group', { name: 'Next steps' });
  const more = steps.getByRole('button', { name: 'More', exact: true });
  await more.waitFor();
  // Only a button that is shown already can be the recommended one.
  if ((await more.getAttribute('aria-expanded')) === 'false') await more.click();
  await steps.getByRole('button', { name, exact: true }).click();
}

/** A check, the details of the call, or the timeline. */
export async function opened(part: Locator): Promise<Locator> {
  await part.locator('summary').first().click();
  return part;
}

export const openedPart = (page: Page, name: string): Promise<Locator> =>
  opened(page.getByRole('group', { name, exact: true }).first());

export const relatedCalls = (page: Page): Locator => page.getByRole('region', { name: 'Related calls' });

/** The rarer filters of the list. */
export async function withMoreFilters(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'More filters' });
  if (await more.isVisible()) await more.click();
}

/** In the list of sessions, by its caveat. */
export async function filterByCaveat(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: /^(More|Fewer) filters$/ }).waitFor();
  await withMoreFilters(page);
  await page.getByLabel('Caveat').selectOption({ label });
}
