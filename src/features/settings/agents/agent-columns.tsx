/** The columns of the agents (contract §19.11), and what their calls told of them. */
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { AgentRow } from '../../../contract/http/table-views.ts';
import { agentState, clockOf, clusterReach, type AgentState } from '../../../domain/agents/agent-state.ts';
import { links } from '../../../domain/links.ts';
import type { HealthState } from '../../../domain/check/health.ts';
import { formatAge, formatSpan } from '../../../domain/time/format.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { CreatorCell } from '../CreatorCell.tsx';
import { timeColumn } from '../time-column.tsx';
import classes from './agents.module.css';
import { messages } from './messages.ts';

const words = messages.columns;
const HEALTH: Readonly<Record<AgentState, HealthState>> = {
  online: 'healthy',
  offline: 'unhealthy',
  unknown: 'unknown',
  never: 'unknown',
};

interface StatusProps {
  lastSeen: string | null;
  asOfMs: number;
  /** Two programs use the agent's token. */
  isTwo: boolean;
}

function Status({ lastSeen, asOfMs, isTwo }: StatusProps) {
  const device = useDevice();
  // By the second: an agent that falls silent shows it while one looks.
  useTicking((nowMs) => agentState(lastSeen, nowMs, asOfMs));
  const state = agentState(lastSeen, device.now(), asOfMs);
  if (state === 'never') return '';
  return (
    <span title={state === 'unknown' ? messages.unknownHint : undefined}>
      <HealthLabel state={HEALTH[state]} text={messages.states[state]} />
      {isTwo && <span className={classes.second}>{messages.second.short}</span>}
    </span>
  );
}

const counted = (
  id: 'config_count' | 'checks_count' | 'config_scrapper_count' | 'playbook_runs_count',
  header: string,
): DataColumn<AgentRow> => ({
  id,
  header,
  align: 'end',
  width: '84px',
  sortValue: (row) => row[id] ?? null,
  cell: (row) => row[id] ?? ui.nothing,
});

/** How many there are, which leads to them. */
function runsOf({ id, name, playbook_runs_count: count }: AgentRow) {
  if ((count ?? 0) === 0) return ui.nothing;
  return (
    <AppLink href={links.playbookRunsAt(id)} aria-label={messages.runsOf(count ?? 0, name ?? id)}>
      {count}
    </AppLink>
  );
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function Clock({ skewMs }: { skewMs: number | null }) {
  if (skewMs === null) return ui.nothing;
  const clock = clockOf(skewMs);
  if (clock === 'even') return messages.clock.even;
  return <span className={classes.late}>{messages.clock[clock](formatSpan(Math.abs(skewMs)))}</span>;
}

function Cluster({ row, asOfMs }: { row: AgentRow; asOfMs: number }) {
  const device = useDevice();
  const lastSeen = row.last_seen ?? null;
  const line = { server: textOf(row.cluster_server), lastOffered: textOf(row.cluster_seen) };
  const reachAt = (nowMs: number) => clusterReach(line, agentState(lastSeen, nowMs, asOfMs));
  useTicking(reachAt);
  const reach = reachAt(device.now());
  if (reach === 'none') return ui.nothing;
  const hints = {
    reached: messages.cluster.contextHint(row.name ?? row.id),
    away: messages.cluster.awayHint,
    unknown: messages.unknownHint,
  };
  return (
    <span className={reach === 'away' ? classes.late : undefined} title={hints[reach]}>
      {messages.cluster[reach]}
    </span>
  );
}

function Backlog({ row }: { row: AgentRow }) {
  const [rows, thinned] = [numberOf(row['backlog_rows']), numberOf(row['thinned_rows']) ?? 0];
  const since = textOf(row['backlog_since']);
  const age = useTicking((nowMs) => (since === null ? '' : formatAge(nowMs - Date.parse(since))));
  if (rows === null) return ui.nothing;
  const hint = [
    since === null ? '' : messages.backlog.since(age),
    thinned === 0 ? '' : messages.backlog.thinned(thinned.toLocaleString('en-US')),
  ].filter(Boolean);
  return (
    <span className={thinned > 0 ? classes.late : undefined} title={hint.join(' ') || undefined}>
      {rows === 0 ? messages.backlog.none : messages.backlog.rows(rows.toLocaleString('en-US'))}
    </span>
  );
}

/** What can be done with a row, for those who may. */
interface RowActions {
  onEdit: (id: string) => void;
  onRemove: (id: string) => void;
  isBlocked: boolean;
}

function actionsColumn({ onEdit, onRemove, isBlocked }: RowActions): DataColumn<AgentRow> {
  return {
    id: 'actions',
    priority: 1,
    width: '88px',
    header: words.actions,
    align: 'end',
    cell: (row) => {
      const name = row.name ?? row.id;
      return (
        <>
          <IconButton label={messages.edit(name)} disabled={isBlocked} onClick={() => onEdit(row.id)}>
            <IconPencil size={16} />
          </IconButton>
          <IconButton label={messages.remove(name)} disabled={isBlocked} onClick={() => onRemove(row.id)}>
            <IconTrash size={16} />
          </IconButton>
        </>
      );
    },
  };
}

/** `asOfMs`: when the server said so; `actions` is null for whoever may only read. */
export function agentColumns(asOfMs: number, actions: RowActions | null): readonly DataColumn<AgentRow>[] {
  return [
    {
      id: 'name',
      header: words.name,
      sortValue: ({ name }) => name ?? null,
      cell: ({ name, id }) => name ?? id,
    },
    counted('config_count', words.configs),
    counted('checks_count', words.checks),
    counted('config_scrapper_count', words.scrapers),
    { ...counted('playbook_runs_count', words.playbookRuns), width: '112px', cell: runsOf },
    {
      id: 'last_seen',
      header: words.status,
      width: '104px',
      priority: 1,
      isPlain: true,
      sortValue: (row) => row.last_seen ?? null,
      isFirstFact: true,
      cell: (row) => (
        <Status
          lastSeen={row.last_seen ?? null}
          asOfMs={asOfMs}
          isTwo={typeof row.second_host === 'string'}
        />
      ),
    },
    timeColumn('last_received', words.lastPushed),
    {
      id: 'backlog_rows',
      header: words.backlog,
      width: '104px',
      sortValue: (row) => numberOf(row['backlog_rows']),
      cell: (row) => <Backlog row={row} />,
    },
    {
      id: 'version',
      header: words.version,
      width: '84px',
      sortValue: (row) => textOf(row['version']),
      cell: (row) => textOf(row['version']) ?? ui.nothing,
    },
    {
      id: 'clock_skew_ms',
      header: words.clock,
      width: '120px',
      sortValue: (row) => numberOf(row['clock_skew_ms']),
      cell: (row) => <Clock skewMs={numberOf(row['clock_skew_ms'])} />,
    },
    {
      id: 'cluster_seen',
      isFirstFact: true,
      header: words.cluster,
      width: '112px',
      sortValue: (row) =>
        textOf(row.cluster_seen) === null ? null : textOf(row.cluster_server) === null ? 1 : 0,
      cell: (row) => <Cluster row={row} asOfMs={asOfMs} />,
    },
    timeColumn('created_at', words.createdAt),
    { ...timeColumn('updated_at', words.updatedAt), priority: 3 },
    { id: 'created_by', priority: 3, header: words.createdBy, cell: (row) => <CreatorCell row={row} /> },
    ...(actions === null ? [] : [actionsColumn(actions)]),
  ];
}
