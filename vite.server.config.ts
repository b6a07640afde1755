/**
 * Bundles our own server code together with the packages that every start loads (docs/decisions/0095). Packages that are
 * loaded when first needed, or hold machine code, stay in node_modules. Each thread is an entry of its own. Migrations are
 * read from files beside the bundle (server/platform/db/migration-files.ts).
 */
import { cpSync } from 'node:fs';
import { basename, extname } from 'node:path';
import fastGlob from 'fast-glob';
import { defineConfig, type Plugin } from 'vite';
import packageFile from './package.json' with { type: 'json' };
import { putContractStamp } from './scripts/contract-stamp.ts';

/** What every start loads; what they need themselves goes along. */
const BUNDLED = new Set([
  '@ewsjs/ntlm-client',
  '@fastify/compress',
  '@fastify/cookie',
  '@fastify/http-proxy',
  '@fastify/rate-limit',
  '@fastify/reply-from',
  '@fastify/static',
  '@marcbachmann/cel-js',
  'aws4',
  'chokidar',
  'comlink',
  'croner',
  'diff',
  'fast-glob',
  'fast-xml-parser',
  'fastify',
  'fflate',
  'htmlparser2',
  'ipaddr.js',
  'jose',
  'jsonpath-plus',
  'nodemailer',
  'openid-client',
  'otpauth',
  'pg',
  'prom-client',
  'proper-lockfile',
  'qrcode',
  'semver',
  'undici',
  'web-push',
  'ws',
  'yaml',
  'zod',
]);

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
  ssr: {
    target: 'node',
    noExternal: true,
    external: Object.keys(packageFile.dependencies).filter((name) => !BUNDLED.has(name)),
  },
});
