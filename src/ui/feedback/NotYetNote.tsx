import classes from './NotYetNote.module.css';

/** What a page shows but this version does not do, said on the spot. */
export function NotYetNote({ text }: { text: string }) {
  return (
    <p role="note" className={classes.note} data-note="">
      {text}
    </p>
  );
}
