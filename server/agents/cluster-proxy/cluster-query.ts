/** SQL of the clusters that calls are passed on to: the connections of type kubernetes, and those that agents offer. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const clusterRow = z.strictObject({
  kind: z.enum(['connection', 'agent']),
  id: z.string(),
  name: z.string(),
});
export type KnownCluster = z.infer<typeof clusterRow>;

/** Each by a name of its own: of several connections with one name, that of the first namespace counts. */
export function listClusters(db: Queryable): Promise<KnownCluster[]> {
  return db.rows(
    clusterRow,
    `(select distinct on (name) 'connection' as kind, id, name from connections
       where type = 'kubernetes' and deleted_at is null order by name, namespace, id)
     union all
     (select 'agent' as kind, id, name from agents
       where cluster_seen is not null and deleted_at is null order by name)`,
  );
}
