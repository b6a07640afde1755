import { useTable } from '../../../data/queries/use-table.ts';
import { useSession } from '../../../data/session/use-session.ts';
import { may } from '../../../domain/access/matrix.ts';

/** Connections as specifications name them, to choose from; none for those who may not see them. */
export function useConnectionNames(): string[] {
  const session = useSession();
  const maySee = session.kind === 'signed-in' && may(session.user.roles, 'connections', 'read');
  const { kept } = useTable(maySee ? { view: 'connections' } : null);
  return (kept?.value.rows ?? []).flatMap(({ name, namespace }) =>
    typeof name === 'string' ? [`connection://${namespace ?? 'default'}/${name}`] : [],
  );
}
