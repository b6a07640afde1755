import { useEffect, useState } from 'react';
import { useSyncStatus } from '../../data/use-sync-status.ts';
import { Button } from '../../ui/Button.tsx';
import { messages } from '../messages.ts';
import { hasUnsavedText } from '../platform.ts';
import type { WaitingVersion } from './register-worker.ts';
import { registerWorker } from './register-worker.ts';
import classes from './update-prompt.module.css';

/** On a slow line the first data goes first; the app's own files are kept after it, or after this long. */
const LATEST_START_MS = 15_000;

/** Keeps the app for offline use, and offers a new version when one is ready. */
export function UpdatePrompt() {
  const [waiting, setWaiting] = useState<WaitingVersion | null>(null);
  const isDataHere = useSyncStatus().asOfMs !== null;
  useEffect(() => {
    const start = () => registerWorker(setWaiting);
    if (isDataHere) {
      start();
      return;
    }
    const timer = setTimeout(start, LATEST_START_MS);
    return () => clearTimeout(timer);
  }, [isDataHere]);
  const [isHeld, setIsHeld] = useState(false);
  if (waiting === null) return null;
  const accept = () => {
    const isUnsaved = hasUnsavedText();
    setIsHeld(isUnsaved);
    if (!isUnsaved) waiting.accept();
  };
  return (
    <div className={classes.prompt} role="status">
      <span className={classes.text}>{isHeld ? messages.update.unsaved : messages.update.ready}</span>
      <Button look="quiet" onClick={() => setWaiting(null)}>
        {messages.update.later}
      </Button>
      <Button look="primary" onClick={accept}>
        {messages.update.reload}
      </Button>
    </div>
  );
}
