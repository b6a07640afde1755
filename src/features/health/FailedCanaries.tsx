import { useState, type MouseEvent } from 'react';
import { useFailedCanaries } from '../../data/queries/health/use-failed-canaries.ts';
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
  const { total, canaries } = useFailedCanaries();
  /** What the user chose; null while the number decides. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? total <= FEW;
  if (total === 0) return null;
  // Not `toggle`: that event also tells of what was opened from here.
  const handleSummary = (event: MouseEvent) => {
    event.preventDefault();
    setChosen(!isOpen);
  };
  return (
    <div className={classes.banner} role="status">
      <HealthMark state="warning" />
      <details open={isOpen}>
        <summary onClick={handleSummary}>{messages.failedCanaries(total)}</summary>
        {isOpen && (
          <ul>
            {canaries.slice(0, MOST).map((canary) => (
              <li key={canary.id}>
                <AppLink href={links.canarySettings(canary.id)}>{canary.name}</AppLink>: {canary.error}
              </li>
            ))}
            {total > MOST && (
              <li>
                <AppLink href={links.canaries()}>{messages.moreFailedCanaries(total - MOST)}</AppLink>
              </li>
            )}
          </ul>
        )}
      </details>
    </div>
  );
}
