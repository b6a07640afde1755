/** Playbooks, their runs, and the resources that they are about, as JSON. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

export type PlaybookResource = 'configs' | 'components' | 'checks';

const RESOURCE_TABLES: Readonly<Record<PlaybookResource, string>> = {
  configs: 'config_items',
  components: 'components',
  checks: 'checks',
};

const record = z.record(z.string(), z.unknown());
const playbookRow = z.strictObject({ id: z.guid(), name: z.string(), title: z.string(), spec: record });
export type PlaybookRow = z.infer<typeof playbookRow>;

const COLUMNS = 'id, name, title, spec';

/** The live playbooks, by title. */
export async function readPlaybooks(db: Queryable): Promise<PlaybookRow[]> {
  return db.rows(
    playbookRow,
    `select ${COLUMNS} from playbooks where deleted_at is null order by title, name, id`,
  );
}

/** Null when it isn't there or was deleted. */
export async function readPlaybook(db: Queryable, id: string): Promise<PlaybookRow | null> {
  const rows = await db.rows(
    playbookRow,
    `select ${COLUMNS} from playbooks where id = $1 and deleted_at is null`,
    [id],
  );
  return rows[0] ?? null;
}

/** Who wrote what stands in a row of `playbooks`: the operator's file, who may grant secrets, or anybody who may write. */
export const AUTHOR = `case
  when exists (select from playbook_files where playbook_id = playbooks.id and spec_mark = md5(playbooks.spec::text))
    then 'operator'
  when exists (select from granted_specs where row_id = playbooks.id) then 'granter' else 'user' end`;

const authorRow = z.strictObject({ author: z.enum(['operator', 'granter', 'user']) });
export type PlaybookAuthor = z.infer<typeof authorRow>['author'];

/** Of a playbook that isn't there: nobody that anything is granted to. */
export async function readAuthor(db: Queryable, id: string): Promise<PlaybookAuthor> {
  const [row] = await db.rows(authorRow, `select ${AUTHOR} as author from playbooks where id = $1`, [id]);
  return row?.author ?? 'user';
}

/** The resource's row, as templates see it; null when it is not there. */
export async function readResource(
  db: Queryable,
  kind: PlaybookResource,
  id: string,
): Promise<Record<string, unknown> | null> {
  const text = await db.text(
    `select to_jsonb(r)::text from ${RESOURCE_TABLES[kind]} r where r.id = $1 and r.deleted_at is null`,
    [id],
  );
  return text === null ? null : record.parse(JSON.parse(text));
}

/** A run as JSON text without its empty fields; null when it is not there. */
export function readRun(db: Queryable, id: string): Promise<string | null> {
  return db.text('select json_strip_nulls(to_json(r))::text from playbook_runs r where r.id = $1', [id]);
}

/** Stands for this server itself among the agents. */
export const OWN_AGENT = '00000000-0000-0000-0000-000000000000';

const agentRow = z.strictObject({ id: z.string(), name: z.string() });
export type AgentFacts = z.infer<typeof agentRow>;

/** Null where there is none, or none any more. */
export async function readAgent(db: Queryable, id: string): Promise<AgentFacts | null> {
  const [row] = await db.rows(agentRow, 'select id, name from agents where id = $1 and deleted_at is null', [
    id,
  ]);
  return row ?? null;
}

const factsRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  namespace: z.string(),
});

/** What templates may know of the playbook itself. */
export async function readPlaybookFacts(db: Queryable, id: string): Promise<z.infer<typeof factsRow> | null> {
  const rows = await db.rows(factsRow, 'select id, name, title, namespace from playbooks where id = $1', [
    id,
  ]);
  return rows[0] ?? null;
}

const personRow = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
});

/** Who runs it. */
export async function readPerson(db: Queryable, id: string): Promise<z.infer<typeof personRow> | null> {
  const rows = await db.rows(personRow, 'select id, name, email from people where id = $1', [id]);
  return rows[0] ?? null;
}
