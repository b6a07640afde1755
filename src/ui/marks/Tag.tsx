import classes from './Tag.module.css';

interface TagProps {
  name?: string;
  value: string;
  /** What somebody should see before acting. */
  isWarning?: boolean;
}

/** A label, or any short fact. */
export function Tag({ name, value, isWarning = false }: TagProps) {
  const text = name === undefined ? value : `${name}: ${value}`;
  return (
    <span className={classes.tag} title={text} data-warning={isWarning ? '' : undefined}>
      {name !== undefined && <span className={classes.key}>{name}:&nbsp;</span>}
      <span>{value}</span>
    </span>
  );
}
