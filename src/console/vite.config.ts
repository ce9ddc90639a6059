// How the console is bundled: one small entry, every page its own chunk, nothing inlined (the content
// security policy of the server allows files of its own origin only).
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
      // A slow machine is no news to somebody who has just typed `npm start`.
      checks: { bundlerTimings: false },
      // The widget is for other people's pages, and the API page is not made here: files whose names stay.
      input: {
        index: `${HERE}index.html`,
        'voxgate-call': `${HERE}widget/voxgate-call.ts`,
        docs: `${HERE}docs/docs.ts`,
      },
      output: {
        entryFileNames: ({ name }) =>
          name === 'voxgate-call'
            ? 'widget/[name].js'
            : name === 'docs'
              ? 'docs/[name].js'
              : 'assets/[name]-[hash].js',
        // The entry waits for the texts of its language, and these are made with the tools of a language: in one chunk
        // with the entry, each would wait for the other.
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
