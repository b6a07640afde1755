import classes from './JudgedMark.module.css';
import { SilencedMark } from './Silences.tsx';
import { ThingHealth, type Judged } from './ThingHealth.tsx';

/** How a thing is and whether it is silent, beside its name in a list to choose from. */
export function JudgedMark(thing: Judged) {
  return (
    <span className={classes.mark}>
      <ThingHealth {...thing} />
      <SilencedMark {...thing} />
    </span>
  );
}
