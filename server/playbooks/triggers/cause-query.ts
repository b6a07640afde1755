/** SQL of what sets playbooks off: who wants an event, what it is about, what came before. */
import { z } from 'zod';
import { PRESUMED_EFFECT_MS } from '../../../src/domain/playbook/trigger-chain.ts';
import type { ChainLink } from '../../../src/domain/playbook/trigger-chain.ts';
import { idRow, jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AUTHOR } from '../requests/playbook-query.ts';
import type { Target } from '../requests/playbook-request.ts';

const playbookRow = z.strictObject({ id: z.string(), name: z.string(), title: z.string(), spec: jsonObject });
export type TriggeredPlaybook = z.infer<typeof playbookRow>;

/** Live playbooks with a trigger of that name. */
export function playbooksWanting(db: Queryable, event: string): Promise<TriggeredPlaybook[]> {
  return db.rows(
    playbookRow,
    `select id, name, title, spec from playbooks
      where deleted_at is null and id in (select owner_id from event_demands where name = $1) order by name, id`,
    [event],
  );
}

const scheduledRow = playbookRow.extend({ updated_at: z.string() });
export type ScheduledPlaybook = z.infer<typeof scheduledRow>;

/** Live playbooks with a schedule. */
export function scheduledPlaybooks(db: Queryable): Promise<ScheduledPlaybook[]> {
  return db.rows(
    scheduledRow,
    `select id, name, title, spec, updated_at from playbooks
      where deleted_at is null and jsonb_typeof(spec #> '{on,schedule}') = 'array' order by name, id`,
  );
}

const webhookRow = playbookRow.extend({
  opened: jsonObject,
  sealed: z.record(z.string(), z.string()),
  author: z.enum(['operator', 'granter', 'user']),
});
export type WebhookPlaybook = z.infer<typeof webhookRow>;

/** Live playbooks with that webhook; more than one is a mistake of theirs. */
export function playbooksOfWebhook(db: Queryable, path: string): Promise<WebhookPlaybook[]> {
  return db.rows(
    webhookRow,
    `select id, name, title, spec, opened_spec(id, spec) as opened, sealed_values(id) as sealed,
            ${AUTHOR} as author
       from playbooks where deleted_at is null and trim(both '/' from spec #>> '{on,webhook,path}') = $1
      order by id limit 2`,
    [path],
  );
}

const SUBJECTS = {
  check: `select to_jsonb(r) || jsonb_build_object('labels', coalesce(canary.labels, '{}') || coalesce(r.labels, '{}'))
            as subject, to_jsonb(canary) - 'spec' as canary
       from checks as r left join canaries as canary on canary.id = r.canary_id where r.id = $1`,
  config: `select to_jsonb(r) || jsonb_build_object('labels', coalesce(r.tags, '{}') || coalesce(r.labels, '{}'))
            as subject, null::jsonb as canary from config_items as r where r.id = $1`,
  component: `select to_jsonb(r) || jsonb_build_object('labels', coalesce(r.labels, '{}')) as subject,
            null::jsonb as canary from components as r where r.id = $1`,
} as const;

const subjectRow = z.strictObject({
  subject: z.looseObject({ labels: z.record(z.string(), z.unknown()) }),
  canary: jsonObject.nullable(),
});
export type Subject = z.infer<typeof subjectRow>;

/** What an event is about, deleted or not, with the labels that triggers look at; null when it is gone. */
export async function readSubject(db: Queryable, word: Target['word'], id: string): Promise<Subject | null> {
  const [row] = await db.rows(subjectRow, SUBJECTS[word], [id]);
  return row ?? null;
}

const writerRow = z.strictObject({ run_id: z.string().nullable() });

/** The run that noted the change about itself; null for changes of any other kind. */
export async function runThatNoted(db: Queryable, changeId: string): Promise<string | null> {
  const [row] = await db.rows(
    writerRow,
    `select (select run.id from playbook_runs as run where run.id::text = change.details ->> 'run_id') as run_id
       from config_changes as change where change.id = $1 and change.source = 'Playbook'`,
    [changeId],
  );
  return row?.run_id ?? null;
}

/** The last run about the resource that is under way, or ended a short while ago. */
export async function lastRunAbout(db: Queryable, target: Target, nowMs: number): Promise<string | null> {
  const [row] = await db.rows(
    idRow,
    `select run.id from playbook_runs as run
      where run.${target.word}_id = $1 and run.start_time is not null
        and (run.end_time is null or run.end_time > $2::timestamptz)
        and not exists (select from playbook_run_causes as cause where cause.run_id = run.id and cause.is_stopped)
      order by run.start_time desc, run.id desc limit 1`,
    [target.id, new Date(nowMs - PRESUMED_EFFECT_MS)],
  );
  return row?.id ?? null;
}

const linkRow = z.strictObject({
  run_id: z.string(),
  playbook_id: z.string(),
  name: z.string(),
  resource: z.string().nullable(),
  is_certain: z.boolean(),
});
export type NamedLink = ChainLink & { name: string };

/** The run and what caused it, newest first. */
export async function readChain(db: Queryable, runId: string): Promise<NamedLink[]> {
  const rows = await db.rows(
    linkRow,
    `with recursive chain as (
       select $1::uuid as run_id, 0 as depth
       union all
       select cause.parent_run_id, depth + 1 from chain join playbook_run_causes as cause on cause.run_id = chain.run_id
        where cause.parent_run_id is not null and depth < 20
     )
     select run.id as run_id, run.playbook_id, coalesce(nullif(playbook.title, ''), playbook.name) as name,
            case when run.config_id is not null then 'config/' || run.config_id
                 when run.component_id is not null then 'component/' || run.component_id
                 when run.check_id is not null then 'check/' || run.check_id end as resource,
            coalesce(cause.is_certain, false) as is_certain
       from chain join playbook_runs as run on run.id = chain.run_id
       join playbooks as playbook on playbook.id = run.playbook_id
       left join playbook_run_causes as cause on cause.run_id = run.id
      order by depth`,
    [runId],
  );
  return rows.map(({ run_id: id, playbook_id: playbookId, is_certain: isCertain, ...link }) => ({
    ...link,
    runId: id,
    playbookId,
    isCertain,
  }));
}

/** A run that a trigger made about the resource and that has not begun yet. */
export async function hasRunToBegin(db: Queryable, playbookId: string, target: Target): Promise<boolean> {
  const [row] = await db.rows(
    idRow,
    `select run.id from playbook_runs as run join playbook_run_causes as cause on cause.run_id = run.id
      where run.playbook_id = $1 and run.${target.word}_id = $2 and run.start_time is null
        and run.status in ('scheduled', 'pending_approval') limit 1`,
    [playbookId, target.id],
  );
  return row !== undefined;
}

/** Whether the playbook was stopped about the resource a short while ago: said once, it need not be said again. */
export async function wasStopped(
  db: Queryable,
  { playbookId, target, nowMs }: { playbookId: string; target: Target | null; nowMs: number },
): Promise<boolean> {
  const [row] = await db.rows(
    idRow,
    `select run.id from playbook_run_causes as cause join playbook_runs as run on run.id = cause.run_id
      where cause.playbook_id = $1 and cause.is_stopped and cause.created_at > $2::timestamptz
        and coalesce(run.config_id, run.component_id, run.check_id) is not distinct from $3::uuid limit 1`,
    [playbookId, new Date(nowMs - PRESUMED_EFFECT_MS), target?.id ?? null],
  );
  return row !== undefined;
}

const unstartedRow = z.strictObject({ same: z.number(), all: z.number() });

/** Begins the key of what is no time that came round, but a schedule that can't be followed. */
export const LEFT_OUT = 'left out: ';

/** Runs since then, and since the playbook was changed, that a trigger could not start: with this error, and with any. */
export async function countUnstarted(
  db: Queryable,
  { playbookId, error, since }: { playbookId: string; error: string; since: Date },
): Promise<{ same: number; all: number }> {
  const [row] = await db.rows(
    unstartedRow,
    `select count(*) filter (where run.error = $2) as same, count(*) as "all"
       from playbook_run_causes as cause join playbook_runs as run on run.id = cause.run_id
       join playbooks as playbook on playbook.id = cause.playbook_id
      where cause.playbook_id = $1 and not cause.is_stopped
        and (cause.kind <> 'schedule' or starts_with(cause.source_key, '${LEFT_OUT}'))
        and run.status = 'failed' and run.start_time is null
        and cause.created_at > greatest($3::timestamptz, playbook.updated_at)`,
    [playbookId, error, since],
  );
  return row ?? { same: 0, all: 0 };
}

export interface Cause {
  kind: 'event' | 'webhook' | 'schedule';
  /** The same for the same event, delivery or time: one run comes of it. */
  sourceKey: string;
  /** For people. */
  detail: string;
  parent: { runId: string; isCertain: boolean } | null;
}

/** The run that came of it already. */
export async function runOfCause(db: Queryable, playbookId: string, cause: Cause): Promise<string | null> {
  const [row] = await db.rows(
    idRow,
    'select run_id as id from playbook_run_causes where playbook_id = $1 and kind = $2 and source_key = $3',
    [playbookId, cause.kind, cause.sourceKey],
  );
  return row?.id ?? null;
}

/** 0 where a run came of it already. */
export function insertCause(
  tx: Queryable,
  run: { id: string; playbookId: string; isStopped: boolean; now: Date },
  { kind, sourceKey, detail, parent }: Cause,
): Promise<number> {
  return tx.run(
    `insert into playbook_run_causes
       (run_id, playbook_id, kind, source_key, detail, parent_run_id, is_certain, is_stopped, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz)
     on conflict on constraint playbook_run_causes_source_key do nothing`,
    [
      run.id,
      run.playbookId,
      kind,
      sourceKey,
      detail.slice(0, 500),
      parent?.runId ?? null,
      parent?.isCertain ?? false,
      run.isStopped,
      run.now,
    ],
  );
}

/** A run that is over before it began, and says why. */
export function failRun(
  tx: Queryable,
  runId: string,
  { error, now }: { error: string; now: Date },
): Promise<number> {
  return tx.run(
    `update playbook_runs set status = 'failed', error = $2, end_time = $3::timestamptz where id = $1`,
    [runId, error, now],
  );
}

const stateRow = z.strictObject({ line: z.string(), checked_until: z.string() });

/** Until when each line of the playbook's schedules has been looked at. */
export async function readScheduleStates(db: Queryable, playbookId: string): Promise<Map<string, number>> {
  const rows = await db.rows(
    stateRow,
    'select line, checked_until from playbook_schedule_states where playbook_id = $1',
    [playbookId],
  );
  return new Map(rows.map(({ line, checked_until: until }) => [line, Date.parse(until)]));
}

/** Notes it; never back. */
export function noteScheduleState(
  db: Queryable,
  { playbookId, line, until }: { playbookId: string; line: string; until: Date },
): Promise<number> {
  return db.run(
    `insert into playbook_schedule_states (playbook_id, line, checked_until) values ($1, $2, $3::timestamptz)
     on conflict (playbook_id, line) do update set checked_until = excluded.checked_until
      where playbook_schedule_states.checked_until < excluded.checked_until`,
    [playbookId, line, until],
  );
}
