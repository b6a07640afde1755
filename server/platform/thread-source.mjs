/**
 * Starts a thread's code from its TypeScript source (tests, scripts, development); the bundled server starts its
 * bundled threads itself. A flag `--import tsx` does not reach the entry file of a worker thread on Node 20.
 */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs `NAME.worker.ts` in this thread. Where tests know that the bundle is of these sources they name its folder, and
 * the thread starts from there: tsx takes 0.4 s of processor time in each, and tests start hundreds.
 */
export async function runThreadSource(source) {
  const bundle = process.env.HOLDFAST_BUNDLED_THREADS;
  if (bundle !== undefined) {
    await import(pathToFileURL(join(bundle, `${basename(source.pathname, '.ts')}.js`)).href);
    return;
  }
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
}
