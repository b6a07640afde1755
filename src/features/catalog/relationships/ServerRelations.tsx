/**
 * What the server knows of an item's relations, for a device that keeps so many relations that some are missing
 * (contract §6.3). The answer is kept and says how old it is; filters are applied here, as on what is local.
 */
import type { RelationRow } from '../../../contract/relations.ts';
import type { RelatedConfigRow } from '../../../contract/http/catalog/catalog-rows.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { relationTest } from '../../../domain/catalog/relation-filter.ts';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { messages } from './messages.ts';
import classes from './Relationships.module.css';
import { RelationsTable } from './RelationsTable.tsx';
import type { RelationsState } from './url-state.ts';

interface ServerRelationsProps {
  configId: string;
  state: RelationsState;
  hidesDeleted: boolean;
}

const TREE = { sortBy: 'tree', isDescending: false } as const;
const noop = () => {};

function argumentsOf({ configId, state, hidesDeleted }: ServerRelationsProps): Record<string, string> {
  const { isIncoming, isOutgoing, isSoft, depth } = state;
  const relation = isSoft ? 'both' : 'hard';
  return {
    config_id: configId,
    include_deleted_configs: String(!hidesDeleted),
    max_depth: String(depth),
    type_filter: isIncoming ? (isOutgoing ? 'all' : 'incoming') : 'outgoing',
    incoming_relation: relation,
    outgoing_relation: relation,
  };
}

function rowOf(row: RelatedConfigRow, configId: string): RelationRow {
  const tags = Object.entries(row.tags ?? {}).map(([key, value]) => [key, String(value)]);
  return {
    id: row.id,
    name: row.name ?? row.id,
    type: row.type ?? '',
    status: row.status ?? null,
    health: row.health ?? null,
    tags: Object.fromEntries(tags) as Record<string, string>,
    changes: row.changes ?? 0,
    deletedAt: row.deleted_at ?? null,
    depth: 0,
    side: row.id === configId ? 'self' : 'both',
  };
}

/** As a table; there is no graph of them. */
export function ServerRelations(props: ServerRelationsProps) {
  const { configId, state, hidesDeleted } = props;
  const where = Object.entries(argumentsOf(props)).map(([column, value]) => ({
    op: 'eq' as const,
    column,
    value,
  }));
  const { kept, error } = useTable({ view: 'related_configs', where });
  if (kept === null && error === null) return <SkeletonRows text={messages.asking} />;
  if (kept === null) {
    return (
      <StateNote title={messages.askFailed}>
        <p>{error === null ? '' : messages.errorText(error)}</p>
      </StateNote>
    );
  }
  // The server's rows carry no labels: that filter is for what is on this device.
  const passes = relationTest({ ...state, labels: {}, hidesDeleted });
  const rows = kept.value.rows
    .map((row) => rowOf(row, configId))
    .filter((row) => passes({ ...row, labels: {} }));
  return (
    <div className={classes.server}>
      <p className={classes.counts} role="status">
        {messages.fromServer(rows.length)}
      </p>
      <CacheNote {...kept} />
      <RelationsTable
        label={messages.title}
        total={rows.length}
        rowAt={(index) => rows[index] ?? null}
        onRange={noop}
        order={TREE}
        onOrder={null}
      />
    </div>
  );
}
