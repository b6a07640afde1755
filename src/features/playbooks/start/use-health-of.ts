import type { PlaybookResource } from '../../../contract/http/playbooks/playbooks.ts';
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';

/** How a thing is, as this device knows: null where it is gone or isn't known, undefined until it was looked for. */
export function useHealthOf(resource: PlaybookResource | null): { health: string | null } | null | undefined {
  const isCheck = resource?.kind === 'check';
  const collection = resource?.kind === 'component' ? 'components' : 'configs';
  const row = useLiveRow(collection, resource === null || isCheck ? '' : resource.id);
  const check = useCheck(isCheck ? resource.id : '');
  if (resource === null) return undefined;
  if (isCheck) {
    if (check === undefined || check === null) return check;
    return { health: check.health.state };
  }
  if (row === undefined || row === null) return row;
  return { health: row.row.health ?? row.row.status };
}
