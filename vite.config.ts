/** Builds the app: one entry, lazy parts in chunks of their own, workers as modules, and the service worker. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { putContractStamp } from './scripts/contract-stamp.ts';
import { inlineScripts } from './scripts/inline-scripts.ts';
import { createIsLate, createIsLight, LATE_PARTS } from './scripts/module-groups.ts';
import { createPrecacheOrder } from './scripts/precache-order.ts';

const precacheOrder = createPrecacheOrder();
const apiTarget = process.env.HOLDFAST_API ?? 'http://127.0.0.1:8081';

type CodeSplittingGroup = Exclude<
  Extract<NonNullable<Rolldown.OutputOptions['codeSplitting']>, object>['groups'],
  undefined
>[number];

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const ENTRY = pathOf('src/app/main.tsx');
const isLate = createIsLate(ENTRY, LATE_PARTS.map(pathOf));
const isLight = createIsLight(ENTRY);
const CHUNKS: CodeSplittingGroup[] = [
  // What the first page needs is one file: cut into the parts that later pages share, it weighs 8 KB more.
  { name: 'initial', tags: ['$initial'] },
  // What fewer parts share stays in files of its own: it would make the first part that is opened heavier.
  { name: (id, graph) => (isLight(id, graph) ? 'light' : null), minShareCount: 4 },
  { name: (id, graph) => (isLate(id, graph) ? 'late' : null) },
];

export default defineConfig({
  // The server replaces this with a fresh nonce in each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/app',
    target: 'es2022',
    sourcemap: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: apiTarget, changeOrigin: false } } },
  plugins: [
    react(),
    putContractStamp(),
    ...inlineScripts(),
    precacheOrder.plugin,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'workers/service-worker',
      filename: 'sw.ts',
      injectRegister: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,png}'],
        manifestTransforms: [precacheOrder.sort],
        sourcemap: false,
        // Built as a library: what is imported later is run later, without what pages need for that (decision 0094).
        rollupFormat: 'iife',
      },
      manifest: {
        id: '/',
        name: 'Holdfast',
        short_name: 'Holdfast',
        description: "Infrastructure operations that keep working when the network doesn't",
        start_url: '/health',
        scope: '/',
        display: 'standalone',
        background_color: '#f5f6f8',
        theme_color: '#0f2a33',
        categories: ['productivity', 'utilities'],
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
        shortcuts: [
          { name: 'New incident', url: '/incidents?create=true' },
          { name: 'Incidents', url: '/incidents' },
          { name: 'For you', url: '/inbox' },
          { name: 'Health', url: '/health' },
        ],
        // Text shared from another app starts a new incident; the page is kept here, so that works offline, too.
        share_target: {
          action: '/share',
          method: 'GET',
          params: { title: 'title', text: 'description', url: 'url' },
        },
      },
    }),
  ],
});
