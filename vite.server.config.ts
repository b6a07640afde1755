/** Bundles our own server code; packages stay in node_modules. Each thread is an entry of its own. */
import { basename } from 'node:path';
import fastGlob from 'fast-glob';
import { defineConfig } from 'vite';

const threads = fastGlob.sync('server/**/*.worker.ts');

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
      input: {
        main: 'server/app/main.ts',
        ...Object.fromEntries(threads.map((file) => [basename(file, '.ts'), file])),
      },
      // Everything flat: the code finds its threads' files beside itself.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { target: 'node' },
});
