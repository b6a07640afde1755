/** Which test files need a database or processes, and which files take longest: vitest.config.ts sorts by it. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import glob from 'fast-glob';

const TEST_FILES = [
  'src/**/*.test.{ts,tsx}',
  'workers/**/*.test.ts',
  'server/**/*.test.ts',
  'tests/**/*.test.ts',
  'bench/**/*.test.ts',
];

/** Static and dynamic imports, enough to know what is loaded: a text that looks like one costs nothing. */
const IMPORT = /^(?!import type).*\b(?:from|import)\s*\(?\s*'([^']+)'/gm;
const OUR_OWN = /^(src|workers|server|tests|scripts|e2e|bench)\//;

/** Who imports one of these opens databases or starts programs. */
const OUTSIDE =
  /^(node:child_process|server\/platform\/db\/(pglite-thread|postgres-database|embedded\/embedded-postgres)\.ts)$/;

/**
 * Started first, the longest before all: one that begins last keeps a single core busy while the others wait. From
 * a clean checkout no earlier run tells; a file that is missing here costs time and nothing else.
 */
const LONGEST = [
  'server/platform/db/move-database',
  'tests/sim/sim',
  'tests/security/attacks/granted-secrets',
  'tests/servers/agents',
  'tests/sim/regressions',
  'tests/security/attacks/held-up',
  'server/platform/db/durability',
  'tests/security/server-process',
  'tests/playbooks/killed-server',
  'server/platform/db/embedded/embedded-postgres',
  'tests/servers/many-servers',
  'server/playbooks/actions/gitops/gitops-action',
  'tests/security/attacks/injection',
  'tests/demo/demo',
  'server/health/create-check-service',
  'tests/transfer/transfer-command',
  'tests/security/role-matrix',
  'server/app/transfer/round-trip',
  'server/app/transfer/import-data',
].map((file) => `${file}.test.ts`);

/** The IndexedDB of tests: Dexie keeps the one that it was loaded with, and channels stay open. */
const STORE = /^fake-indexeddb\/auto$/;

export interface TestFiles {
  /** Run in memory: many of them share a process, and all of them take seconds. */
  unit: string[];
  /** Run in memory on an IndexedDB of their own: each has a process of its own. */
  store: string[];
  /** Open databases or start programs: many of them share a process. */
  database: string[];
  /** Of these, the longest and those with an IndexedDB: each has a process of its own, for what they would leave. */
  alone: string[];
}

/** A file's own imports, without those of types; each is read once. */
function createReader(): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const found = /\.(ts|tsx|mjs)$/.test(file) ? readFileSync(file, 'utf8').matchAll(IMPORT) : [];
    const imports = [...found].map(([, name = '']) =>
      name.startsWith('.') ? join(dirname(file), name.replace(/\?.*$/, '')) : name,
    );
    known.set(file, imports);
    return imports;
  };
}

/** Sorts all test files by what they import, directly or through others. */
export function testFiles(): TestFiles {
  const importsOf = createReader();
  const reaches = (start: string, wanted: RegExp): boolean => {
    const reached = new Set([start]);
    for (const file of reached) {
      if (wanted.test(file)) return true;
      if (OUR_OWN.test(file)) for (const next of importsOf(file)) reached.add(next);
    }
    return false;
  };
  const files: TestFiles = { unit: [], store: [], database: [], alone: [] };
  for (const file of glob.sync(TEST_FILES)) {
    const hasStore = reaches(file, STORE);
    if (!reaches(file, OUTSIDE)) (hasStore ? files.store : files.unit).push(file);
    else (hasStore || LONGEST.includes(file) ? files.alone : files.database).push(file);
  }
  return files;
}

/** Smaller comes first; those that aren't among the longest are all alike. */
export function startOrder(file: string): number {
  const at = LONGEST.indexOf(file);
  return at === -1 ? LONGEST.length : at;
}
