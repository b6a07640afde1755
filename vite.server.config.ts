/**
 * Bundles our own server code; packages stay in node_modules. Each thread is an entry of its own. Migrations are read
 * from files beside the bundle (server/platform/db/migration-files.ts).
 */
import { cpSync } from 'node:fs';
import { basename, extname } from 'node:path';
import fastGlob from 'fast-glob';
import { defineConfig, type Plugin } from 'vite';
import { putContractStamp } from './scripts/contract-stamp.ts';

const threads = fastGlob.sync('server/**/*.worker.ts');

const copyMigrations: Plugin = {
  name: 'copy-migrations',
  closeBundle() {
    cpSync('server/platform/db/migrations', 'dist/server/migrations', {
      recursive: true,
      filter: (file) => ['', '.sql'].includes(extname(file)),
    });
  },
};

export default defineConfig({
  plugins: [copyMigrations, putContractStamp()],
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
