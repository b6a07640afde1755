/**
 * `/wall`: nobody stands before it. Who isn't signed in is a screen that wants to be paired; everything else comes back
 * by itself: a failed session is asked for again, a new version takes over without a question, on a board when nothing is
 * new there.
 */
import { useEffect, useState } from 'react';
import { refresh } from '../../data/commands/commands.ts';
import { noteWallStands, repeat } from '../../data/device/platform-wall.ts';
import { useSession } from '../../data/session/use-session.ts';
import { PairingScreen } from '../../features/wall/screen/PairingScreen.tsx';
import { WallScreen } from '../../features/wall/screen/WallScreen.tsx';
import { SilencesProvider, type SilencesApi } from '../../ui/page/Silences.tsx';
import { SilenceMark } from '../shell/lazy-parts.tsx';
import { registerWorker, type WaitingVersion } from '../update-prompt/register-worker.ts';
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

function Page({ version }: { version: WaitingVersion | null }) {
  const session = useSession();
  const hasBoard = session.kind === 'signed-in';
  const hasCode = session.kind === 'signed-out';
  // A board stands when it is current, which it knows itself.
  useEffect(() => {
    if (hasCode) noteWallStands();
  }, [hasCode]);
  useEffect(() => {
    if (!hasBoard) version?.accept();
  }, [hasBoard, version]);
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
          <WallScreen viewerId={session.user.id} update={version?.accept ?? null} />
        </SilencesProvider>
      );
  }
}

/** See the head of this file. */
export function WallRoute() {
  const [version, setVersion] = useState<WaitingVersion | null>(null);
  useEffect(() => {
    document.title = `${messages.wall} · ${messages.product}`;
    registerWorker(setVersion);
  }, []);
  return <Page version={version} />;
}
