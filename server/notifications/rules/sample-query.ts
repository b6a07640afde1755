/** SQL of what a preview is about: the last thing that such an event was told of, else the newest of its kind. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { subjectKindOf } from './subject.ts';
import { subjectsOf, type SubjectKind, type SubjectRow } from './subject-query.ts';

const toldRow = z.strictObject({ id: z.string(), at: z.string() });
const idRow = z.strictObject({ id: z.string() });

const MOST_TOLD = 20;

/** `$1` is the health that the event speaks of: what has it comes first. */
const NEWEST: Readonly<Record<SubjectKind, string>> = {
  check: `select id from checks where deleted_at is null
    order by status is not distinct from $1 desc, created_at desc limit 1`,
  config: `select id from config_items where deleted_at is null
    order by health is not distinct from $1 desc, created_at desc limit 1`,
  component: `select id from components where deleted_at is null
    order by health is not distinct from $1 desc, created_at desc limit 1`,
  incident: `select id from incidents where $1::text is null or true order by created_at desc limit 1`,
  evidence: `select id from evidences where $1::text is null or true order by created_at desc limit 1`,
  responder: `select id from responders where $1::text is null or deleted_at is null order by created_at desc limit 1`,
  playbook: `select id from playbooks where $1::text is null or deleted_at is null order by created_at desc limit 1`,
  monitor: `select id from monitor_outages where $1::text is null or true order by since desc limit 1`,
};

export interface Sample {
  subject: SubjectRow;
  /** When it was told of; null for one that stands in. */
  at: string | null;
}

/** Null where nothing of the kind is there. */
export async function sampleOf(db: Queryable, event: string, health: string | null): Promise<Sample | null> {
  const kind = subjectKindOf(event);
  if (kind === null) return null;
  const told = await db.rows(
    toldRow,
    `select resource_id as id, created_at as at from notification_send_history
      where source_event = $1 order by created_at desc limit ${MOST_TOLD}`,
    [event],
  );
  const known = new Map(
    (
      await subjectsOf(
        db,
        kind,
        told.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const last = told.find(({ id }) => known.has(id));
  const subject = last === undefined ? undefined : known.get(last.id);
  if (last !== undefined && subject !== undefined) return { subject, at: last.at };
  const newest = await db.rows(idRow, NEWEST[kind], [health]);
  const [standIn] = await subjectsOf(
    db,
    kind,
    newest.map(({ id }) => id),
  );
  return standIn === undefined ? null : { subject: standIn, at: null };
}
