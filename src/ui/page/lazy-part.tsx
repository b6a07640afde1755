/**
 * Parts of a page that are loaded when they are first shown. One whose file can't be loaded takes nothing else with
 * it: what the page does without is left out, what was asked for says so. Once there is a server the page is loaded
 * again (platform.ts).
 */
import { lazy, type ComponentType } from 'react';
import { messages } from '../messages.ts';
import { Sheet } from '../overlays/Sheet.tsx';
import classes from './lazy-part.module.css';

/** For a part that the page does without. */
export function Nothing() {
  return null;
}

/** For a part that was asked for. */
export function MissingPart() {
  return (
    <p role="alert" className={classes.missing}>
      {messages.partMissing}
    </p>
  );
}

/** For a dialog that was asked for. */
export function MissingSheet({ onClose }: { onClose: () => void }) {
  return (
    <Sheet label={messages.partMissingTitle} side="center" hasTitle onClose={onClose}>
      <p>{messages.partMissing}</p>
    </Sheet>
  );
}

/** A component of a file of its own; `substitute` stands there where the file can't be loaded. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
  substitute: ComponentType<Props> = MissingPart,
) {
  return lazy(async () => ({ default: await load().catch(() => substitute) }));
}
