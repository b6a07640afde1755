/** The line below every board: how everything is, how old that is, which board this is. */
import type { HealthFrame } from '../../../contract/worker.ts';
import { groupHealth } from '../../../domain/check/health.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { useAge } from '../../../ui/hooks/use-ticking.ts';
import { messages } from '../messages.ts';
import classes from './screen.module.css';

const words = messages.screen;

interface StatusStripProps {
  frame: HealthFrame;
  asOfMs: number | null;
  place: { at: number; count: number; name: string };
}

/** Quiet where all is well; also what a screen reader is told. */
export function StatusStrip({ frame, asOfMs, place }: StatusStripProps) {
  const { counts, checkCount, isLoaded } = frame;
  const age = useAge(asOfMs);
  const rest = counts.warning + counts.unknown;
  const isWell = counts.unhealthy + rest === 0;
  const state = counts.unhealthy > 0 ? 'unhealthy' : groupHealth(counts);
  const text = isWell ? words.allWell(checkCount) : words.someUnwell(counts.unhealthy, rest);
  return (
    <footer className={classes.strip}>
      <HealthMark state={isLoaded ? state : 'unknown'} />
      <span role="status" className={classes.summary}>
        {isLoaded ? text : words.loading}
      </span>
      <span className={classes.where}>
        {place.count > 1 ? words.board(place.at + 1, place.count, place.name) : place.name}
      </span>
      <span>{age === '' ? '' : words.age(age)}</span>
    </footer>
  );
}
