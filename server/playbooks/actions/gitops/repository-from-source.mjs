/** Starts the thread from its source; the bundled server starts repository.worker.js itself. */
import { runThreadSource } from '../../../platform/thread-source.mjs';

await runThreadSource(new URL('repository.worker.ts', import.meta.url));
