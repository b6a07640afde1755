/** SQL of approvals. */
import { z } from 'zod';
import type { Approver, GivenApproval } from '../../../src/domain/playbook/approval.ts';
import { jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

const askedRun = z.strictObject({
  id: z.string(),
  status: z.string(),
  /** Of the specification that the run was asked with. */
  approval: jsonObject.nullable(),
});
export type AskedRun = z.infer<typeof askedRun>;

/** The run; nobody else decides about it before the transaction ends. */
export async function lockRun(tx: Queryable, id: string): Promise<AskedRun | null> {
  const [row] = await tx.rows(
    askedRun,
    `select id, status, spec -> 'approval' as approval from playbook_runs where id = $1 for update`,
    [id],
  );
  return row ?? null;
}

const teams = z.array(z.strictObject({ id: z.string(), name: z.string() }));
const person = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  teams,
});

const PERSON = `people.id, people.name, people.email, coalesce((
  select jsonb_agg(jsonb_build_object('id', teams.id, 'name', teams.name) order by teams.name)
    from team_members join teams on teams.id = team_members.team_id and teams.deleted_at is null
   where team_members.person_id = people.id), '[]') as teams`;

/** Null where there is no such person any more. Nobody leaves a team before the transaction ends. */
export async function readApprover(tx: Queryable, personId: string): Promise<Approver | null> {
  await tx.run('select from team_members where person_id = $1 for key share', [personId]);
  const [row] = await tx.rows(
    person,
    `select ${PERSON} from people where people.id = $1 and people.deleted_at is null`,
    [personId],
  );
  return row ?? null;
}

const given = z.strictObject({
  team_id: z.string().nullable(),
  created_at: z.string(),
  approver: person.nullable(),
});

/** Who approved the run, in order, each as he is now. */
export async function readApprovals(
  db: Queryable,
  runId: string,
): Promise<(GivenApproval & { name: string | null; createdAt: string })[]> {
  const rows = await db.rows(
    given,
    `select approval.team_id, approval.created_at,
            (select to_jsonb(found) from (select ${PERSON} from people
              where people.id = approval.person_id and people.deleted_at is null) as found) as approver
       from playbook_approvals as approval where approval.run_id = $1 order by approval.created_at, approval.id`,
    [runId],
  );
  return rows.map(({ approver, team_id: teamId, created_at: createdAt }) => ({
    approver,
    teamId,
    name: approver?.name ?? null,
    createdAt,
  }));
}

/** In the person's own name, or that of a team. */
export function insertApproval(
  tx: Queryable,
  { runId, personId, teamId, now }: { runId: string; personId: string; teamId: string | null; now: Date },
): Promise<number> {
  return tx.run(
    'insert into playbook_approvals (run_id, person_id, team_id, created_at) values ($1, $2, $3, $4::timestamptz)',
    [runId, personId, teamId, now],
  );
}

/** The runner may take it up; 0 where it does not wait any more. */
export function releaseRun(tx: Queryable, runId: string, now: Date): Promise<number> {
  return tx.run(
    `update playbook_runs set status = 'scheduled', scheduled_time = $2::timestamptz
      where id = $1 and status = 'pending_approval'`,
    [runId, now],
  );
}
