/** Starts the thread from its source; the bundled server starts yaml.worker.js itself. */
import { runThreadSource } from '../thread-source.mjs';

await runThreadSource(new URL('yaml.worker.ts', import.meta.url));
