import { useEffect, useState } from 'react';
import { Button } from '../../ui/actions/Button.tsx';
import { messages } from '../messages.ts';
import { hasUnsavedText } from '../platform-reload.ts';
import { useAfterFirstLoad } from '../shell/use-after-first-load.ts';
import type { WaitingVersion } from './register-worker.ts';
import classes from './update-prompt.module.css';

async function register(onWaiting: (version: WaitingVersion) => void): Promise<void> {
  const { registerWorker } = await import('./register-worker.ts');
  registerWorker(onWaiting);
}

/** Keeps the app for offline use, and offers a new version when one is ready. */
export function UpdatePrompt() {
  const [waiting, setWaiting] = useState<WaitingVersion | null>(null);
  const isDue = useAfterFirstLoad();
  useEffect(() => {
    if (isDue) register(setWaiting).catch((error: unknown) => reportError(error));
  }, [isDue]);
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
