/** No pattern that somebody writes holds up the server: each is refused in a sentence, or compiled and matched at once. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectFiles } from '../exec/collect-files.ts';
import { leadsOut, patternProblem } from '../../../src/domain/file-pattern.ts';

/** A thread of its own: what never ends can be ended. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const fastGlob = require('fast-glob');
  parentPort.on('message', (pattern) =>
    fastGlob([pattern], { cwd: workerData, dot: true, suppressErrors: true }).then(
      () => parentPort.postMessage(null),
      () => parentPort.postMessage(null),
    ),
  );
`;
const LIMIT_MS = 20_000;

let folder: string;
let thread: Worker;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-patterns-'));
  for (const name of [`${'a'.repeat(200)}!`, `${'.'.repeat(60)}!`, `${'aab'.repeat(40)}!`])
    await writeFile(join(folder, name), '');
  thread = new Worker(THREAD, { eval: true, workerData: folder });
});
afterAll(async () => {
  await thread.terminate();
  await rm(folder, { recursive: true, force: true });
});

/** True where the pattern was compiled and matched in time. */
async function ends(pattern: string): Promise<boolean> {
  const heard = new Promise<true>((resolve) => thread.once('message', () => resolve(true)));
  thread.postMessage(pattern);
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), LIMIT_MS).unref());
  return Promise.race([heard, late]);
}

test('a pattern that is not refused is compiled and matched at once, whatever it is made of', async () => {
  const pieces = [
    '*',
    '**',
    '?',
    '[a]',
    '[',
    ']',
    '{a,b}',
    '{',
    '}',
    ',',
    '(',
    ')',
    '@(a|aa)',
    '!(a)',
    '+',
    '+(a)',
    '|',
  ];
  const rest = ['!', '@', '\\', '\\\\', 'a', '.', '..', '/', '^', '$', '1', '-', '{1..9}'];
  const written = fc
    .array(fc.constantFrom(...pieces, ...rest), { maxLength: 14 })
    .map((all) => all.join(''))
    .filter((pattern) => patternProblem(pattern) === null && !leadsOut(pattern));
  await fc.assert(
    fc.asyncProperty(written, async (pattern) => {
      expect(await ends(pattern), pattern).toBe(true);
    }),
    { numRuns: 300, interruptAfterTimeLimit: 30_000, endOnFailure: true },
  );
});

test('where a script says what it leaves, the sentence names the field', async () => {
  await expect(collectFiles(folder, ['*\\\\\\\\'])).rejects.toThrow(/^artifacts: .*write one/);
});
