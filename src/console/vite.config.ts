// How the console is bundled: one entry, a chunk for every page, nothing inlined (the server's content
// security policy allows only files of its own origin).
import react from '@vitejs/plugin-react';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The texts of pages that few open come with these pages. */
const RARE_TEXTS = 'account|accuracy|alarm-thresholds|applications|batches|engagement|help|system|webhooks';
const shared = new RegExp(
  `/src/(?:console|client|words|manifest|gen)/(?!(?:.*/)?(?:text/(?:(?:${RARE_TEXTS})\\.|en/|de/)|.*\\.css$|plots/chart|help/(?!entries|markdown)|shell/search|api/refused|format/refusal|text/refusals|pages/(?!biosec|sessions|voice|people|registry|biometric|manage|page\\.)))`,
);

const HERE = fileURLToPath(new URL('.', import.meta.url));

const OUT = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** One file each, under a stable name, that shares nothing with the console: the widget for other people's pages, and the API page. */
const alone = {
  name: 'alone',
  closeBundle: async (): Promise<void> => {
    await build({
      entryPoints: [`${HERE}widget/voxgate-call.ts`, `${HERE}docs/docs.ts`],
      outdir: OUT,
      outbase: HERE,
      ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning' },
    });
  },
};

// Vite insists on a default export; nothing else in the project has one.
export default defineConfig({
  root: HERE,
  base: '/console/',
  plugins: [react(), alone],
  resolve: {
    // Does what the console needs of React in a tenth of the size.
    alias: [
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react$/, replacement: 'preact/compat' },
    ],
  },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // A user who has just typed `npm start` need not be told that the machine is slow.
      // Nor which pages are loaded both at once and later.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      input: `${HERE}index.html`,
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        // Few requests for a page: what several pages share is one file, and so are the texts that most of them need.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // The entry waits for the texts of its language, which use the language's tools: in one chunk with
            // the entry, each would wait for the other.
            { name: 'language', test: /\/text\/(language|tools)\.ts$/, priority: 3 },
            // The sign-in, the frame of every page, and the first page.
            { name: 'base', tags: ['$initial'], priority: 2 },
            { name: 'help', test: /\.md(\?|$)|\/console\/help\/texts\.ts/, priority: 2 },
            { name: 'shared', test: shared, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/oauth2', '/.well-known', '/setup', '/docs', '/openapi.json', '/media'].map((path) => [
        path,
        'http://127.0.0.1:8080',
      ]),
    ),
  },
});
