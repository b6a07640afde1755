import { useMemo, useSyncExternalStore } from 'react';
import type { ShellFacts } from '../../contract/http/shell.ts';
import type { SessionUser } from '../../contract/session-user.ts';
import type { Viewer } from '../../domain/access/screens.ts';
import { dataClient } from '../client/data-client.ts';

/** Feature flags and deployment of the last answer that is this user's; null before the first. */
function useShellFacts(storeName: string): ShellFacts | null {
  const { shell } = dataClient();
  const facts = useSyncExternalStore(shell.subscribe, shell.get);
  return facts?.storeName === storeName ? facts : null;
}

/** The user as guards and menus look at them: roles, flags, kind of deployment. */
export function useViewer({ storeName, roles }: SessionUser): Viewer {
  const facts = useShellFacts(storeName);
  return useMemo(
    () => ({
      roles,
      properties: facts === null ? null : new Map(facts.properties.map(({ name, value }) => [name, value])),
      isChecksOnly: facts?.isChecksOnly ?? false,
      hasClusterProxy: facts?.hasClusterProxy ?? false,
    }),
    [roles, facts],
  );
}
