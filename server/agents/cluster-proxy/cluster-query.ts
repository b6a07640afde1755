/** SQL of the clusters that calls are passed on to: the connections of type kubernetes. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const clusterRow = z.strictObject({ id: z.string(), name: z.string() });
export type ClusterName = z.infer<typeof clusterRow>;

/** Each by a name of its own: of several connections with one name, that of the first namespace counts. */
export function listClusters(db: Queryable): Promise<ClusterName[]> {
  return db.rows(
    clusterRow,
    `select distinct on (name) id, name from connections
      where type = 'kubernetes' and deleted_at is null order by name, namespace, id`,
  );
}
