/** Starts the expression thread from its source; the bundled server starts expressions.worker.js itself. */
import { runThreadSource } from '../thread-source.mjs';

await runThreadSource(new URL('expressions.worker.ts', import.meta.url));
