/** Bundles our own server code; packages stay in node_modules. The database thread is an entry of its own. */
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: { main: 'server/main.ts', 'pglite.worker': 'server/db/pglite.worker.ts' },
      // Everything flat: the code finds its thread's file beside itself.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { target: 'node' },
});
