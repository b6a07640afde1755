import { useSession } from '../../../data/session/use-session.ts';
import { may } from '../../../domain/access/matrix.ts';

/** Whether this user may link components to catalog items, and unlink them. */
export function useMayLink(): boolean {
  const session = useSession();
  return session.kind === 'signed-in' && may(session.user.roles, 'database', 'write');
}
