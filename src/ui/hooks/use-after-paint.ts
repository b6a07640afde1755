import { useEffect, useState } from 'react';

/** The value before, until the present one could have been painted: for what may follow a frame later. */
export function useAfterPaint<Value>(value: Value, isSame: (one: Value, other: Value) => boolean): Value {
  const [painted, setPainted] = useState(value);
  const isPainted = isSame(painted, value);
  useEffect(() => {
    if (isPainted) return undefined;
    // A task that is asked for in a frame comes after its paint.
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(value)));
    return () => cancelAnimationFrame(frame);
  }, [value, isPainted]);
  return isPainted ? value : painted;
}
