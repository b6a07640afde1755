import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react';
import classes from './SortButton.module.css';

interface SortButtonProps {
  text: string;
  /** Null while another column orders the rows. */
  order: 'ascending' | 'descending' | null;
  onPress: () => void;
}

const MARKS = { ascending: IconChevronUp, descending: IconChevronDown };

/** The name of a table's column that rows can be ordered by. */
export function SortButton({ text, order, onPress }: SortButtonProps) {
  const Mark = order === null ? IconSelector : MARKS[order];
  return (
    <button type="button" className={classes.button} onClick={onPress}>
      {text}
      <Mark size={13} aria-hidden className={order === null ? classes.unsorted : classes.sorted} />
    </button>
  );
}
