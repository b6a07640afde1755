/** What may be run on the thing that an evidence is about. */
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { PlaybooksButton, usePlaybooks } from '../../../ui/page/Playbooks.tsx';
import type { RecordOf } from '../use-records.ts';

function OnCheck({ id }: { id: string }) {
  const view = useCheck(id);
  if (view === undefined || view === null) return null;
  return <PlaybooksButton look="icon" resource={{ kind: 'check', id, name: view.check.name }} />;
}

function OnRow({ kind, id }: { kind: 'config' | 'component'; id: string }) {
  const found = useLiveRow(kind === 'config' ? 'configs' : 'components', id);
  if (found === undefined || found === null) return null;
  return <PlaybooksButton look="icon" resource={{ kind, id, name: found.row.name ?? id }} />;
}

/** Nothing for what is about no check, component or item, or about one that is gone. */
export function EvidencePlaybooks({ row }: { row: RecordOf<'evidence'> }) {
  const { run } = usePlaybooks();
  if (run === null) return null;
  if (row.check_id !== null) return <OnCheck id={row.check_id} />;
  if (row.component_id !== null) return <OnRow kind="component" id={row.component_id} />;
  return row.config_id === null ? null : <OnRow kind="config" id={row.config_id} />;
}
