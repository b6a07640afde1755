import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { isRecord } from '../../../src/lib/is-record.ts';
import { readCanary } from '../documents/canary-document.ts';
import { reasonsNotRun } from '../documents/not-run.ts';
import { readCanaryFile } from '../documents/canary-file.ts';
import { CHECK_KINDS, RUNNABLE_KEYS, kindOf } from './all-kinds.ts';
import { STORED_KINDS } from './stored-kinds.ts';

const FIXTURES = '../shared/fixtures/canaries';
const OPERATOR = { isExecAllowed: true, trust: 'operator' } as const;

const canaryOf = (key: string, entry: object, isSingle = false) =>
  readCanary({ kind: 'Canary', metadata: { name: 'c' }, spec: { [key]: isSingle ? entry : [entry] } }, 'c');

/** Forms are made of the fields of its schema. */
function hasForm({ schema }: (typeof CHECK_KINDS)[number]): boolean {
  const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return isRecord(written.properties) || written.allOf !== undefined;
}

describe('every kind', () => {
  test('has a key of its own, and either runs or says why not', () => {
    const keys = [...RUNNABLE_KEYS, ...Object.keys(STORED_KINDS)];
    expect(new Set(keys).size).toBe(keys.length);
    const types = CHECK_KINDS.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
  });

  test.each(CHECK_KINDS)('$key: its example can be read and runs', ({ key, example, isSingle }) => {
    const read = canaryOf(key, example, isSingle);
    expect(read).toMatchObject({ ok: true });
    if (read.ok) expect([...reasonsNotRun(read.canary.entries, OPERATOR).values()]).toEqual([]);
  });

  test.each(CHECK_KINDS)(
    '$key: a field that it has not is an error that names it',
    ({ key, example, isSingle }) => {
      const read = canaryOf(key, { ...example, thresholdMilis: 5 }, isSingle);
      expect(read).toMatchObject({ ok: false });
      expect(read.ok ? '' : JSON.stringify(read.problems)).toContain('thresholdMilis');
    },
  );

  test.each(CHECK_KINDS)('$key: its schema can be written for editors', (kind) => {
    expect(hasForm(kind)).toBe(true);
  });
});

/** Entries of all fixtures by kind: how many there are, and how many run here. */
function fixtureFigures(): Map<string, { all: number; runs: number }> {
  const figures = new Map<string, { all: number; runs: number }>();
  const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  for (const file of files)
    for (const read of readCanaryFile(file, readFileSync(join(FIXTURES, file), 'utf8'))) {
      if (!read.ok) continue;
      const reasons = reasonsNotRun(read.canary.entries, OPERATOR);
      for (const entry of read.canary.entries) {
        const key = kindOf(entry.key)?.key ?? entry.key;
        const { all, runs } = figures.get(key) ?? { all: 0, runs: 0 };
        figures.set(key, { all: all + 1, runs: runs + (reasons.has(entry) ? 0 : 1) });
      }
    }
  return figures;
}

const cell = (text: string) => text.replaceAll('|', String.raw`\|`);

function table(): string {
  const figures = fixtureFigures();
  const figure = (key: string) => {
    const { all, runs } = figures.get(key) ?? { all: 0, runs: 0 };
    return all === 0 ? '–' : `${runs} of ${all}`;
  };
  const rows = CHECK_KINDS.map((kind) => {
    const { key, aliases = [], title, needs, testedAgainst } = kind;
    const form = hasForm(kind) ? 'yes' : 'no';
    const names = [key, ...aliases].map((name) => `\`${name}\``).join(', ');
    return `| ${names} | ${title} | yes | ${cell(needs)} | ${form} | [yes](#${key.toLowerCase()}) | ${testedAgainst} | ${figure(key)} |`;
  });
  const stored = Object.entries(STORED_KINDS).map(
    ([key, { reason }]) =>
      `| \`${key}\` | | no | ${cell(reason.replace(/^checks of kind \w+ are not run by this server:? ?/, '') || 'a runner')} | | | | ${figure(key)} |`,
  );
  const examples = CHECK_KINDS.map(({ key, example, isSingle }) => {
    const text = stringify({ [key]: isSingle === true ? example : [example] }, { lineWidth: 110 });
    return `### ${key}\n\n\`\`\`yaml\n${text}\`\`\`\n`;
  });
  const all = [...figures.values()].reduce((sum, one) => ({
    all: sum.all + one.all,
    runs: sum.runs + one.runs,
  }));
  return `# Kinds of checks

Made from the registry (\`server/health/kinds/all-kinds.ts\`) by its test; \`npx vitest run server/health/kinds/all-kinds.test.ts --update\`
writes it anew. "Real client" is the service's usual client library over a server of the test; a stand-in answers as the
service's published interface says. The last column counts the checks of our fixtures that this server can run:
${all.runs} of ${all.all} in all.

| key | kind | runs here | needs | form | example | tested against | fixtures |
|---|---|---|---|---|---|---|---|
${[...rows, ...stored].join('\n')}

## Examples

${examples.join('\n')}`;
}

test('docs have the kinds as the registry has them', async () => {
  await expect(table()).toMatchFileSnapshot('../../../docs/checks-kinds.md');
});
