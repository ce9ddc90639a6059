// How the console is bundled: one small entry, a chunk for every page, nothing inlined (the server's content
// security policy allows only files of its own origin).
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const HERE = fileURLToPath(new URL('.', import.meta.url));

// Vite insists on a default export; nothing else in the project has one.
export default defineConfig({
  root: HERE,
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // A user who has just typed `npm start` need not be told that the machine is slow.
      checks: { bundlerTimings: false },
      // The API page is not built here and needs a stable file name. The widget is built by itself (scripts/setup.mjs).
      input: {
        index: `${HERE}index.html`,
        docs: `${HERE}docs/docs.ts`,
      },
      output: {
        entryFileNames: ({ name }) => (name === 'docs' ? 'docs/[name].js' : 'assets/[name]-[hash].js'),
        // The entry waits for the texts of its language, which use the language's tools: in one chunk with
        // the entry, each would wait for the other.
        manualChunks: (id) => (/\/text\/(language|tools)\.ts$/.test(id) ? 'language' : undefined),
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
