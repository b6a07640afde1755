import type { Coverage } from '../../../domain/bulk/selection.ts';
import classes from './ChooseBox.module.css';

interface ChooseBoxProps {
  label: string;
  state: Coverage;
  /** The list's keys reach it; Tab passes it by. */
  isPassedByTab?: boolean;
  onPress: (isRange: boolean) => void;
}

/** Takes a row into what is chosen; with Shift all from the last one on. Its whole cell can be pressed. */
export function ChooseBox({ label, state, isPassedByTab = false, onPress }: ChooseBoxProps) {
  return (
    <label className={classes.cell} onClick={(event) => event.stopPropagation()}>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={label}
        checked={state === 'all'}
        ref={(element) => {
          if (element !== null) element.indeterminate = state === 'some';
        }}
        {...(isPassedByTab ? { tabIndex: -1 } : {})}
        onChange={(event) => {
          const { nativeEvent } = event;
          onPress('shiftKey' in nativeEvent && nativeEvent.shiftKey === true);
        }}
      />
    </label>
  );
}
