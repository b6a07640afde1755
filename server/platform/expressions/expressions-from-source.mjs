/**
 * Starts the expression thread from its TypeScript source (tests, scripts, development); the bundled server
 * starts expressions.worker.js itself. A flag `--import tsx` does not reach the entry file of a worker thread on
 * Node 20.
 */
import { register } from 'tsx/esm/api';

register();
await import('./expressions.worker.ts');
