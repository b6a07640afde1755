/** SQL of what people keep here for an agent to run: its canaries and scrapers, with the literals of their specs. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const pulled = {
  id: z.string(),
  agent_id: z.string(),
  name: z.string(),
  /** With sealed values in their places, and where each belongs (migration 0034). */
  spec: z.unknown(),
  sealed: z.record(z.string(), z.string()),
  source: z.string().nullable(),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
};

const pulledCanary = z.strictObject({
  ...pulled,
  namespace: z.string(),
  labels: z.unknown(),
  annotations: z.unknown(),
});
const pulledScraper = z.strictObject({
  ...pulled,
  namespace: z.string().nullable(),
  description: z.string().nullable(),
});

export interface PullRequest {
  agentId: string;
  /** Those that were deleted after this come as well; null for none. */
  since: Date | null;
}

/** All that live, changed or not: an edit on this server leaves an agent's `updated_at` alone. */
const WANTED = '(deleted_at is null or deleted_at > $2::timestamptz)';

/** Canaries that people made here for the agent; those of the agent's own files are its own business. */
export function canariesFor(db: Queryable, { agentId, since }: PullRequest) {
  return db.rows(
    pulledCanary,
    `select id, agent_id, name, namespace, labels, annotations, opened_spec(id, spec) as spec,
       sealed_values(id) as sealed, source, created_at, updated_at, deleted_at
     from canaries where agent_id = $1::uuid and coalesce(source, '') in ('', 'UI') and ${WANTED} order by id`,
    [agentId, since],
  );
}

/** Scrapers that people made here for the agent. */
export function scrapersFor(db: Queryable, { agentId, since }: PullRequest) {
  return db.rows(
    pulledScraper,
    `select id, agent_id, name, namespace, description, opened_spec(id, spec) as spec,
       sealed_values(id) as sealed, source::text as source, created_at, updated_at, deleted_at
     from config_scrapers where agent_id = $1::uuid and source = 'UI' and ${WANTED} order by id`,
    [agentId, since],
  );
}
