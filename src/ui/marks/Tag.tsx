import classes from './Tag.module.css';

/** A label, or any short fact. */
export function Tag({ name, value }: { name?: string; value: string }) {
  const text = name === undefined ? value : `${name}: ${value}`;
  return (
    <span className={classes.tag} title={text}>
      {name !== undefined && <span className={classes.key}>{name}:&nbsp;</span>}
      <span>{value}</span>
    </span>
  );
}
