/**
 * Hides the passwords that runs from before they were sealed, or from elsewhere, have in clear: stars in the run, in its
 * changes and in all that its actions wrote. Only a run that goes on keeps them, sealed, until it is over.
 */
import { STARS, secretNames } from '../../../../src/domain/playbook/secret-parameters.ts';
import { playbookSpecViewSchema } from '../../../../src/contract/http/playbooks/playbooks.ts';
import { isRecord, recordOf } from '../../../../src/lib/is-record.ts';
import { createRedactor } from '../../../platform/crypto/redact.ts';
import type { Redactor } from '../../../platform/crypto/redact.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import type { Database, Queryable } from '../../../platform/db/database.ts';
import { PART_TABLES, readParts, takeClearRuns, writeHiddenRun, writePart } from './clear-passwords-query.ts';
import type { ClearRun, RunPart } from './clear-passwords-query.ts';
import { hideSecrets } from './run-secrets.ts';

type Sealing = Pick<Sealer, 'seal'>;

const AT_ONCE = 20;

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
};

/** The values of the run's passwords, as texts; a specification that can't be read names none. */
function passwordsOf({ spec, parameters }: ClearRun): Record<string, string> {
  const known = playbookSpecViewSchema.safeParse(spec).data?.parameters ?? [];
  const names = secretNames(known);
  const given = Object.entries(parameters).filter(
    ([name, value]) => names.has(name) && value !== null && value !== '' && value !== STARS,
  );
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

interface Given {
  passwords: Readonly<Record<string, string>>;
  redactor: Redactor;
}

/** The same with stars; a change repeats the parameters of its run. */
function hiddenPart({ id, text, content }: RunPart, { passwords, redactor }: Given): RunPart {
  const cleaned = redactor.value(content);
  const parameters = recordOf(cleaned)['parameters'];
  const names = isRecord(parameters)
    ? Object.keys(passwords).filter((name) => Object.hasOwn(parameters, name))
    : [];
  const stars = Object.fromEntries(names.map((name) => [name, STARS]));
  return {
    id,
    text: text === null ? null : redactor.text(text),
    content: isRecord(parameters)
      ? { ...recordOf(cleaned), parameters: { ...parameters, ...stars } }
      : cleaned,
  };
}

async function hideRun(tx: Queryable, run: ClearRun, sealer: Sealing): Promise<void> {
  const { id, request, error } = run;
  const passwords = passwordsOf(run);
  const redactor = createRedactor();
  for (const value of Object.values(passwords)) redactor.note(value);
  for (const table of PART_TABLES)
    for (const part of await readParts(tx, table, id)) {
      const hidden = hiddenPart(part, { passwords, redactor });
      if (JSON.stringify(hidden) !== JSON.stringify(part)) await writePart(tx, table, hidden);
    }
  const parameters = Object.fromEntries(
    Object.entries(run.parameters).map(([name, value]) => [name, textOf(value)]),
  );
  const { secrets, ...shown } = hideSecrets({ id, passwords, parameters, request }, sealer);
  await writeHiddenRun(tx, {
    id,
    ...shown,
    error: error === null ? null : redactor.text(error),
    secrets: run.has_state && !run.is_over ? secrets : null,
  });
}

/** Hides what is noted; answers in how many runs. Several servers share it. */
export async function hidePasswords({ db, sealer }: { db: Database; sealer: Sealing }): Promise<number> {
  for (let count = 0; ;) {
    const found = await db.transaction(async (tx) => {
      const runs = await takeClearRuns(tx, AT_ONCE);
      for (const run of runs) await hideRun(tx, run, sealer);
      return runs.length;
    });
    if (found === 0) return count;
    count += found;
  }
}
