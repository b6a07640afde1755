/** Starts the PGlite thread from its source; the bundled server starts pglite.worker.js itself. */
import { runThreadSource } from '../thread-source.mjs';

await runThreadSource(new URL('pglite.worker.ts', import.meta.url));
