import type { PlaybookResource } from '../../../contract/http/playbooks/playbooks.ts';
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';

function CheckName({ id }: { id: string }) {
  return useCheck(id)?.check.name ?? id;
}

function RowName({ kind, id }: { kind: 'config' | 'component'; id: string }) {
  return useLiveRow(kind === 'config' ? 'configs' : 'components', id)?.row.name ?? id;
}

/** A thing by the name that this device knows; else its id. */
export function ResourceLabel({ resource: { kind, id } }: { resource: PlaybookResource }) {
  return kind === 'check' ? <CheckName id={id} /> : <RowName kind={kind} id={id} />;
}
