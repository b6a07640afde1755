/** SQL of silences that people make. */
import type { SilencedColumn } from '../../../src/domain/notification/silenced-columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';

const TABLES: Readonly<Record<SilencedColumn, string>> = {
  config_id: 'config_items',
  component_id: 'components',
  check_id: 'checks',
  canary_id: 'canaries',
};

/** Whether what is to be silenced is there. */
export async function resourceExists(db: Queryable, column: SilencedColumn, id: string): Promise<boolean> {
  const sql = `select exists (select 1 from ${TABLES[column]} where id = $1 and deleted_at is null)::text`;
  return (await db.text(sql, [id])) === 'true';
}

export interface NewSilence {
  id: string;
  resources: Readonly<Record<SilencedColumn, string | null>>;
  fromAt: Date;
  untilAt: Date;
  description: string | null;
  isRecursive: boolean;
  selector: string | null;
  filter: string | null;
  /** Windows of the day. */
  recurrence: readonly unknown[] | null;
  createdBy: string;
}

/** Its source is the UI. */
export async function insertSilence(db: Queryable, silence: NewSilence): Promise<void> {
  const { id, resources, fromAt, untilAt, description, isRecursive, createdBy } = silence;
  const { config_id: config, component_id: component, check_id: check, canary_id: canary } = resources;
  const hours = silence.recurrence === null ? null : toJson(silence.recurrence);
  await db.run(
    `insert into notification_silences (id, namespace, config_id, component_id, check_id, canary_id, "from",
       "until", description, recursive, source, created_by, selector, filter, recurrence)
     values ($1, '', $2, $3, $4, $5, $6, $7, $8, $9, 'UI', $10, $11, $12, $13::jsonb)`,
    [
      id,
      config,
      component,
      check,
      canary,
      fromAt,
      untilAt,
      description,
      isRecursive,
      createdBy,
      silence.selector,
      silence.filter,
      hours,
    ],
  );
}
