/** Agents (spec 1 §2): other clusters' and sites' servers that push here, and whether they do. */
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { SessionUser } from '../../../contract/session-user.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { useOrganizations } from '../../../data/session/use-organizations.ts';
import { may } from '../../../domain/access/matrix.ts';
import { telemetryName } from '../../../domain/agents/install-text.ts';
import { isRemoteAgent } from '../../../domain/settings/resource-source.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { ChoosableTable } from '../../../ui/tables/ChoosableTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { TablePage } from '../../../ui/tables/TablePage.tsx';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { agentsSearch } from '../search-schemas.ts';
import { agentColumns } from './agent-columns.tsx';
import { AgentForm, type MadeAgent } from './AgentForm.tsx';
import { AgentInstallation } from './AgentInstallation.tsx';
import { DeleteAgent } from './DeleteAgent.tsx';
import { TwoPrograms } from './TwoPrograms.tsx';
import classes from './agents.module.css';
import { messages } from './messages.ts';

const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };

type Dialog =
  | { kind: 'add' }
  | { kind: 'edit' | 'delete'; id: string }
  | { kind: 'install'; made: MadeAgent };

interface AgentListProps {
  reader: SessionUser;
  /** Where agents call; null while that is not known. */
  host: string | null;
}

function useAgents() {
  const [{ id: wantedId }, setSearch] = useSearchState(agentsSearch);
  const { kept, error } = useTable({ view: 'agents' });
  const rows = useMemo(
    () =>
      kept?.value.rows.filter(({ id }) => isRemoteAgent(id) && (wantedId === undefined || id === wantedId)),
    [kept, wantedId],
  );
  const showAll = wantedId === undefined ? null : () => setSearch({ id: undefined });
  return { rows, kept, error, showAll };
}

interface DialogsProps {
  dialog: Dialog;
  agents: ReturnType<typeof useAgents>['rows'];
  host: string;
  slug: string | null;
  onChange: (dialog: Dialog | null) => void;
}

function Dialogs({ dialog, agents, host, slug, onChange }: DialogsProps) {
  const close = () => onChange(null);
  if (dialog.kind === 'install') {
    const { name: agentName, token, kubernetes, topologyName } = dialog.made;
    const telemetry = topologyName === null ? null : { topologyName: telemetryName(topologyName, slug) };
    return <AgentInstallation install={{ host, agentName, token, kubernetes, telemetry }} onClose={close} />;
  }
  const row = dialog.kind === 'add' ? null : (agents?.find(({ id }) => id === dialog.id) ?? null);
  if (dialog.kind === 'delete') return row !== null && <DeleteAgent row={row} onClose={close} />;
  if (dialog.kind === 'edit' && row === null) return null;
  return (
    <AgentForm
      row={row}
      host={host}
      onDone={(made) => onChange(made === null ? null : { kind: 'install', made })}
      onRemove={() => {
        if (row !== null) onChange({ kind: 'delete', id: row.id });
      }}
      onClose={close}
    />
  );
}

function AgentList({ reader, host }: AgentListProps) {
  const canWrite = may(reader.roles, 'agents', 'write');
  const isReachable = useReachable();
  const device = useDevice();
  const { rows, kept, error, showAll } = useAgents();
  const { state, setState } = useTableState('agents', NEWEST_FIRST);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const asOfMs = kept?.asOfMs ?? device.now();
  const columns = useMemo(
    () =>
      agentColumns(
        asOfMs,
        canWrite
          ? {
              onEdit: (id) => setDialog({ kind: 'edit', id }),
              onRemove: (id) => setDialog({ kind: 'delete', id }),
              isBlocked: !isReachable,
            }
          : null,
      ),
    [asOfMs, canWrite, isReachable],
  );
  return (
    <TablePage
      title={messages.title}
      lead={rows === undefined ? '' : messages.total(rows.length)}
      actions={
        canWrite && (
          <Button
            look="primary"
            disabled={!isReachable || host === null}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => setDialog({ kind: 'add' })}
          >
            <IconPlus size={16} aria-hidden />
            {messages.add}
          </Button>
        )
      }
      toolbar={
        <>
          {showAll !== null && (
            <p className={classes.one}>
              {rows?.length === 0 && messages.noSuch}
              <Button onClick={showAll}>{messages.showAll}</Button>
            </p>
          )}
          <TwoPrograms rows={rows ?? []} />
        </>
      }
    >
      <ChoosableTable
        kind="agents"
        label={messages.title}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        state={state}
        defaultSort={NEWEST_FIRST}
        onState={setState}
        pressOf={({ id }) => (canWrite ? () => setDialog({ kind: 'edit', id }) : null)}
        kept={kept}
        problem={error === null ? null : messages.errorText(error)}
        failedTitle={messages.failed}
        emptyHint={messages.emptyHint}
      />
      {dialog !== null && host !== null && (
        <Dialogs
          dialog={dialog}
          agents={rows}
          host={host}
          slug={reader.organization?.slug ?? null}
          onChange={setDialog}
        />
      )}
    </TablePage>
  );
}

/** In hosted mode agents call the organisation's own server. */
function HostedAgentList({ reader, origin }: { reader: SessionUser; origin: string }) {
  const { organizations, active, error } = useOrganizations();
  const own = organizations?.find(({ id }) => id === active);
  const isKnown = own !== undefined || error !== null;
  return <AgentList reader={reader} host={isKnown ? (own?.public_metadata.backend_url ?? origin) : null} />;
}

/** With an id in the address it shows that agent alone. Changes need the server and the right to write agents. */
export function AgentsPage({ reader }: { reader: SessionUser }) {
  const { origin } = new URL(useDevice().addressOf('/'));
  return reader.organization === undefined ? (
    <AgentList reader={reader} host={origin} />
  ) : (
    <HostedAgentList reader={reader} origin={origin} />
  );
}
