import { useId } from 'react';
import classes from './Slider.module.css';

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value in words, for who can't see where it stands. */
  text: string;
  onChange: (value: number) => void;
}

/** A number on a scale. The browser's own control: right on every device, and no code. */
export function Slider({ label, value, min, max, step, text, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className={classes.root}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <input
        id={id}
        type="range"
        className={classes.slider}
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
