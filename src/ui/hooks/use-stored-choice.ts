import { useCallback, useState } from 'react';
import { useDevice } from '../Device.tsx';

/** A choice of one that this device remembers; the first of the options until one was made. */
export function useStoredChoice<Value extends string>(
  key: string,
  options: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const device = useDevice();
  const [value, setValue] = useState<Value>(() => {
    const stored = device.readSetting(key);
    return options.find((option) => option === stored) ?? options[0];
  });
  const choose = useCallback(
    (next: Value) => {
      setValue(next);
      device.writeSetting(key, next);
    },
    [device, key],
  );
  return [value, choose];
}
