import type { Uptime } from '../../domain/check/check.ts';
import { formatPercent, uptimePercent } from '../../domain/time/format.ts';
import { messages } from '../messages.ts';
import classes from './UptimeMeter.module.css';

/** Passed and failed runs of a window: percent with one decimal; a bar only where something failed, so that it stands out. */
export function UptimeMeter({ uptime, hasBar = true }: { uptime: Uptime; hasBar?: boolean }) {
  const percent = uptimePercent(uptime);
  if (percent === null) return <span className={classes.none}>{messages.nothing}</span>;
  const text = formatPercent(percent);
  return (
    <span
      className={classes.root}
      data-frame="health"
      title={messages.uptimeOf(text, uptime.passed, uptime.failed)}
    >
      <span className={`${classes.text} ${uptime.failed === 0 ? classes.perfect : classes.flawed}`}>
        {text}
      </span>
      {hasBar && uptime.failed > 0 && (
        <span className={classes.bar} aria-hidden="true">
          <span className={classes.passed} style={{ flexGrow: uptime.passed }} />
          <span className={classes.failed} style={{ flexGrow: uptime.failed }} />
        </span>
      )}
    </span>
  );
}
