/**
 * `/wall`: nobody stands before it. Who isn't signed in is a screen that wants to be paired; everything else comes back
 * by itself: a failed session is asked for again, a new version takes over without a question.
 */
import { useEffect } from 'react';
import { refresh } from '../../data/commands/commands.ts';
import { noteWallStands, repeat } from '../../data/device/platform-wall.ts';
import { useSession } from '../../data/session/use-session.ts';
import { PairingScreen } from '../../features/wall/screen/PairingScreen.tsx';
import { WallScreen } from '../../features/wall/screen/WallScreen.tsx';
import { SilencesProvider, type SilencesApi } from '../../ui/page/Silences.tsx';
import { SilenceMark } from '../shell/lazy-parts.tsx';
import { registerWorker } from '../update-prompt/register-worker.ts';
import { messages } from '../messages.ts';
import { WallStarting } from './WallStarting.tsx';

const RETRY_MS = 10_000;
/** A wall says what is silent and silences nothing; where it gets no silences it marks nothing. */
const SILENCES: SilencesApi = { Mark: SilenceMark, maySilence: false };

function Waiting() {
  useEffect(
    () =>
      repeat(RETRY_MS, () => {
        refresh();
        return Promise.resolve();
      }),
    [],
  );
  return <WallStarting />;
}

function Page() {
  const session = useSession();
  const isUp = session.kind === 'signed-in' || session.kind === 'signed-out';
  useEffect(() => {
    if (isUp) noteWallStands();
  }, [isUp]);
  switch (session.kind) {
    case 'unknown':
    case 'switching':
      return <WallStarting />;
    case 'signed-out':
      return <PairingScreen />;
    case 'no-organization':
    case 'provisioning':
    case 'failed':
      return <Waiting />;
    case 'signed-in':
      return (
        <SilencesProvider door={SILENCES}>
          <WallScreen viewerId={session.user.id} />
        </SilencesProvider>
      );
  }
}

/** See the head of this file. */
export function WallRoute() {
  useEffect(() => {
    document.title = `${messages.wall} · ${messages.product}`;
    registerWorker((version) => version.accept());
  }, []);
  return <Page />;
}
