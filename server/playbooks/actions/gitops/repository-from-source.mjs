/** Starts the thread from its TypeScript source (tests, development); see expressions-from-source.mjs. */
import { register } from 'tsx/esm/api';

register();
await import('./repository.worker.ts');
