import classes from './Skeleton.module.css';

/** The place of a text that is on its way. */
export function Bar({ width }: { width: string | number }) {
  return <span className={classes.bar} style={{ width }} aria-hidden="true" />;
}

/** Spec 1 §9. */
const ROWS = 8;

/** Rows to come, with words that say what is going on; `part` is how much of it is done, 0 to 1. */
export function SkeletonRows({ text, part = null }: { text: string; part?: number | null }) {
  return (
    <div aria-busy="true">
      <div className={classes.progress} role="status">
        <span>{text}</span>
        {part !== null && <progress value={part} aria-label={text} />}
      </div>
      <div className={classes.rows} aria-hidden="true">
        {Array.from({ length: ROWS }, (_, at) => (
          <div key={at} className={classes.row}>
            <Bar width={`${24 + ((at * 13) % 22)}%`} />
            <Bar width="18%" />
          </div>
        ))}
      </div>
    </div>
  );
}
