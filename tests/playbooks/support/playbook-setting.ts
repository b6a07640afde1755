/** For tests only: a server that runs playbooks, and somebody who may. */
import { z } from 'zod';
import { runOutputSchema } from '../../../src/contract/http/playbooks/playbook-output.ts';
import type { RunOutput } from '../../../src/contract/http/playbooks/playbook-output.ts';
import { openTestBrowser } from '../../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../security/support/test-server.ts';
import type { TestServerOptions } from '../../security/support/test-server.ts';
import type { Database } from '../../../server/platform/db/database.ts';
import { idRow, jsonObject } from '../../../server/platform/db/row-schema.ts';

const runRow = z.object({
  id: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  parameters: jsonObject.nullable(),
});
const actionRow = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  result: jsonObject.nullable(),
});
export type TestRun = z.infer<typeof runRow> & { actions: z.infer<typeof actionRow>[] };

const OVER = new Set(['completed', 'failed', 'cancelled']);

/** Adds a playbook as the app would. */
export async function addPlaybook(db: Database, name: string, spec: object): Promise<string> {
  const [row] = await db.rows(
    idRow,
    `insert into playbooks (name, title, spec, source) values ($1, $1, $2::jsonb, 'UI') returning id`,
    [name, JSON.stringify(spec)],
  );
  return row?.id ?? '';
}

/** The run with its actions, in order. */
export async function readRun(db: Database, id: string): Promise<TestRun> {
  const [run] = await db.rows(
    runRow,
    'select id, status, error, start_time, end_time, parameters from playbook_runs where id = $1',
    [id],
  );
  if (run === undefined) throw new Error(`no run ${id}`);
  const actions = await db.rows(
    actionRow,
    'select id, name, status, error, result from playbook_run_actions where playbook_run_id = $1 order by scheduled_time, id',
    [id],
  );
  return { ...run, actions };
}

/** Looks until the run is as wanted; over, unless told otherwise. */
export async function runWhen(
  db: Database,
  id: string,
  isWanted: (run: TestRun) => boolean = ({ status }) => OVER.has(status),
): Promise<TestRun> {
  for (let tries = 0; ; tries += 1) {
    const run = await readRun(db, id);
    if (isWanted(run)) return run;
    if (tries > 1200) throw new Error(`the run is ${JSON.stringify(run)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A server, and a browser of an editor. */
export async function playbookSetting(db: Database, options: TestServerOptions = {}) {
  const server = await startTestServer(db, { playbooks: { isExecAllowed: true }, ...options });
  const signIn = async (...roles: string[]) => {
    const account = await server.account(...roles);
    const browser = openTestBrowser(server.url);
    await browser.signIn(account.email, PASSWORD);
    return { ...account, browser };
  };
  const editor = await signIn('editor');
  return {
    server,
    signIn,
    editor,
    async output(runId: string, after = 0, wait = 0): Promise<RunOutput> {
      const answer = await editor.browser.get(
        `/api/playbook/run/${runId}/output?after=${after}&wait=${wait}`,
      );
      return runOutputSchema.parse(await answer.json());
    },
    /** Presses Run; answers the id of the run. */
    async press(
      playbookId: string,
      body: object = {},
      headers: Record<string, string> = {},
    ): Promise<string> {
      const answer = await editor.browser.post('/api/playbook/run', { id: playbookId, ...body }, headers);
      const { run_id: id = '', error } = z
        .object({ run_id: z.string().optional(), error: z.string().optional() })
        .parse(await answer.json());
      if (answer.status !== 201) throw new Error(`${answer.status} ${error}`);
      return id;
    },
  };
}
export type PlaybookSetting = Awaited<ReturnType<typeof playbookSetting>>;
