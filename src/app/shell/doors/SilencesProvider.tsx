/** Marks what is silent on any screen, and offers to silence it to who may (spec 2 §6). */
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { isFeatureOn } from '../../../domain/access/flags.ts';
import { may } from '../../../domain/access/matrix.ts';
import type { Viewer } from '../../../domain/access/screens.ts';
import { SilencesProvider as Provider, type SilencesApi } from '../../../ui/page/Silences.tsx';
import { SilenceMark } from '../lazy-parts.tsx';
import { useAfterFirstLoad } from '../use-after-first-load.ts';

/** What there is of silences for this user, as the door of the screens says it. */
function useDoor({ roles, properties, isChecksOnly }: Viewer): SilencesApi {
  // The first screen comes first.
  const isCalm = useAfterFirstLoad();
  return useMemo(() => {
    const areOn = !isChecksOnly && properties !== null && isFeatureOn('settings.notifications', properties);
    return {
      Mark: areOn && isCalm && may(roles, 'notifications', 'read') ? SilenceMark : null,
      maySilence: areOn && may(roles, 'notifications', 'write'),
    };
  }, [roles, properties, isChecksOnly, isCalm]);
}

/** See the head of this file. */
export function SilencesProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <Provider door={useDoor(viewer)}>{children}</Provider>;
}
