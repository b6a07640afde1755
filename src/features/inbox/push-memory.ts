import type { PushMemory } from '../../data/device/push.ts';
import type { Device } from '../../ui/Device.tsx';

const KEY = 'holdfast.push';

/** Who switched notifications on in this browser. */
export function memoryOf(device: Pick<Device, 'readSetting' | 'writeSetting'>): PushMemory {
  return {
    read: () => device.readSetting(KEY),
    write: (userId) => device.writeSetting(KEY, userId),
  };
}
