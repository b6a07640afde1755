/** The settings of one request, gone with its transaction. */
import type { Queryable } from '../../../platform/db/database.ts';
import { identifier } from './statement-query.ts';

export interface SessionSettings {
  /** Where names in functions are looked up first; null keeps the database's own path. */
  schema: string | null;
  timezone: string | null;
  isReadOnly: boolean;
  /** Written for somebody who may say where secrets go (migration 0020). */
  mayGrant: boolean;
  /** Who writes: authors and histories name them (migrations 0015, 0022). */
  actor: string | null;
}

/** Sets what is asked for; does nothing where nothing is. */
export async function enterSession(tx: Queryable, settings: SessionSettings): Promise<void> {
  const { schema, timezone, isReadOnly, mayGrant, actor } = settings;
  const wanted: [string, string][] = [
    ...(schema === null ? [] : [['search_path', `${identifier(schema)}, public`] as [string, string]]),
    ...(timezone === null ? [] : [['timezone', timezone] as [string, string]]),
    ...(mayGrant && !isReadOnly ? [['holdfast.may_grant', 'yes'] as [string, string]] : []),
    ...(actor === null ? [] : [['holdfast.actor', actor] as [string, string]]),
    ...(isReadOnly ? [['transaction_read_only', 'on'] as [string, string]] : []),
  ];
  if (wanted.length === 0) return;
  await tx.text(
    'select count(set_config(name, value, true))::text from unnest($1::text[], $2::text[]) as settings(name, value)',
    [wanted.map(([name]) => name), wanted.map(([, value]) => value)],
  );
}
