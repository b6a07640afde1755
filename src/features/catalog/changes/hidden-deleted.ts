/** Whether changes of deleted items are left out (spec 2 §2): kept on the device, yes until somebody says otherwise. */
import type { Device } from '../../../ui/Device.tsx';

const KEY = 'areDeletedConfigChangesHidden';

/** True unless this device remembers otherwise. */
export const readDeletedHidden = (device: Device): boolean => device.readSetting(KEY) !== 'no';

/** For all lists of changes on this device. */
export function writeDeletedHidden(device: Device, isHidden: boolean): void {
  device.writeSetting(KEY, isHidden ? 'yes' : 'no');
}
