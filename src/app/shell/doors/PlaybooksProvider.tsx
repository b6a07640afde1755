/** Opens the dialog that runs a playbook from any screen, for who may run them (spec 1 §6). */
import type { ReactNode } from 'react';
import { Suspense, useMemo, useState } from 'react';
import { isFeatureOn } from '../../../domain/access/flags.ts';
import { may } from '../../../domain/access/matrix.ts';
import type { Viewer } from '../../../domain/access/screens.ts';
import type { RunAsked } from '../../../domain/playbook/run-asked.ts';
import { PlaybooksProvider as Provider, type PlaybooksApi } from '../../../ui/page/Playbooks.tsx';
import { KeepPlaybooks, PlaybookChoices, PreparedReminder, PreparedRun, RunModal } from '../lazy-parts.tsx';
import { useAfterFirstLoad } from '../use-after-first-load.ts';

interface PlaybooksProviderProps {
  viewer: Viewer;
  children: ReactNode;
}

/** What there is of playbooks for this user, as the door of the screens says it. */
function useDoor(viewer: Viewer, onRun: (asked: RunAsked) => void): PlaybooksApi {
  return useMemo(() => {
    const { roles, properties, isChecksOnly } = viewer;
    const areOn = !isChecksOnly && properties !== null && isFeatureOn('playbooks', properties);
    const mayRun = areOn && may(roles, 'playbooks', 'write');
    return {
      run: mayRun ? onRun : null,
      Choices: mayRun ? PlaybookChoices : null,
      Prepared: areOn ? PreparedRun : null,
    };
  }, [viewer, onRun]);
}

/** Who may not run playbooks is offered nothing. */
export function PlaybooksProvider({ viewer, children }: PlaybooksProviderProps) {
  const [asked, setAsked] = useState<RunAsked | null>(null);
  const door = useDoor(viewer, setAsked);
  const isCalm = useAfterFirstLoad();
  return (
    <Provider door={door}>
      {children}
      <Suspense fallback={null}>
        {asked !== null && (
          <RunModal key={JSON.stringify(asked)} asked={asked} onClose={() => setAsked(null)} />
        )}
        {isCalm && door.run !== null && <PreparedReminder />}
        {isCalm && door.Prepared !== null && <KeepPlaybooks />}
      </Suspense>
    </Provider>
  );
}
