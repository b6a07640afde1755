import { useState } from 'react';
import { useFailedCanaries } from '../../data/queries/use-failed-canaries.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';

/** Fewer are shown at once. */
const FEW = 2;
/** Of more than these nobody reads the names here; the page of canaries has them all. */
const MOST = 50;

/** Canaries that could not be loaded, with what is wrong: they run nothing, and nobody would notice. */
export function FailedCanaries() {
  const failed = useFailedCanaries();
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const isListed = isOpen ?? failed.length <= FEW;
  if (failed.length === 0) return null;
  return (
    <div className={classes.banner} role="status">
      <HealthMark state="warning" />
      <details open={isListed} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{messages.failedCanaries(failed.length)}</summary>
        {isListed && (
          <ul>
            {failed.slice(0, MOST).map((canary) => (
              <li key={canary.id}>
                <AppLink href={links.canarySettings(canary.id)}>{canary.name}</AppLink>: {canary.error}
              </li>
            ))}
            {failed.length > MOST && (
              <li>
                <AppLink href={links.canaries()}>{messages.moreFailedCanaries(failed.length - MOST)}</AppLink>
              </li>
            )}
          </ul>
        )}
      </details>
    </div>
  );
}
