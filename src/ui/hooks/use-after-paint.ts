import { useEffect, useState } from 'react';
import { afterPaint } from './after-paint.ts';

/** The value before, until the present one could have been painted: for what may follow a frame later. */
export function useAfterPaint<Value>(value: Value, isSame: (one: Value, other: Value) => boolean): Value {
  const [painted, setPainted] = useState(value);
  const isPainted = isSame(painted, value);
  useEffect(() => {
    return isPainted ? undefined : afterPaint(() => setPainted(value));
  }, [value, isPainted]);
  return isPainted ? value : painted;
}
