// The pages that the console registers, for tests: what type-checks them knows nothing of browsers, so the table is loaded by its name.
interface RegisteredPage {
  path: string;
  needs: string;
}

const REGISTRY = '../../src/console/pages/registry.ts';
const { pages } = (await import(REGISTRY)) as { pages: readonly RegisteredPage[] };

export const registeredPages = pages;
