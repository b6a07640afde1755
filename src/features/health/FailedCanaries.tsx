import { useFailedCanaries } from '../../data/queries/use-failed-canaries.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';

/** Canaries that could not be loaded, with what is wrong: they run nothing, and nobody would notice. */
export function FailedCanaries() {
  const failed = useFailedCanaries();
  if (failed.length === 0) return null;
  return (
    <div className={classes.banner} role="status">
      <HealthMark state="warning" />
      <details open={failed.length <= 2}>
        <summary>{messages.failedCanaries(failed.length)}</summary>
        <ul>
          {failed.map((canary) => (
            <li key={canary.id}>
              <AppLink href={links.canarySettings(canary.id)}>{canary.name}</AppLink>: {canary.error}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
