/** The order of cards that this device remembers (spec 2 §2; the keys are those of former versions, contract §19.14). */
import type { Device } from '../../ui/Device.tsx';

const STANDARD_KEY = 'topologyCardsSortByStandard';
const CUSTOM_KEY = 'topologyCardsSortByCustom';
const ORDER_KEY = 'topologyCardsSortOrder';
const FIELD = 'field:';

/** What cards are always offered to be ordered by; headline properties come besides, as `field:name`. */
export const STANDARD_SORTS = ['status', 'name', 'type', 'updated_at'] as const;
export type StandardSort = (typeof STANDARD_SORTS)[number];

export interface CardSort {
  sortBy: string;
  isDescending: boolean;
}

/** Worst first. */
export const DEFAULT_SORT: CardSort = { sortBy: 'status', isDescending: true };

/** Whether it is one of the orders that every card has; the others are fields of components. */
/** Whether it is offered for any components. */
export const isStandardSort = (sortBy: string): sortBy is StandardSort =>
  STANDARD_SORTS.some((one) => one === sortBy);
const isSort = (sortBy: string) => isStandardSort(sortBy) || sortBy.startsWith(FIELD);

/** The direction in which an order starts. */
export const startsDescending = (sortBy: string) => sortBy === 'status' || sortBy === 'updated_at';

/** Whether nothing has to be remembered of it. */
/** Whether nothing need be remembered of it, nor said in a link. */
export const isDefaultSort = ({ sortBy, isDescending }: CardSort) =>
  sortBy === DEFAULT_SORT.sortBy && isDescending === DEFAULT_SORT.isDescending;

/** What is remembered; the default where nothing is. */
export function readSort(device: Pick<Device, 'readSetting'>): CardSort {
  const custom = device.readSetting(CUSTOM_KEY) ?? '';
  const standard = device.readSetting(STANDARD_KEY) ?? '';
  const sortBy = [custom, standard].find((one) => one !== '' && isSort(one));
  if (sortBy === undefined) return DEFAULT_SORT;
  const order = device.readSetting(ORDER_KEY);
  const isKnown = order === 'asc' || order === 'desc';
  return { sortBy, isDescending: isKnown ? order === 'desc' : startsDescending(sortBy) };
}

/** The default is remembered as nothing. */
export function writeSort(device: Pick<Device, 'writeSetting'>, sort: CardSort): void {
  const isDefault = isDefaultSort(sort);
  const isStandard = isStandardSort(sort.sortBy);
  device.writeSetting(STANDARD_KEY, !isDefault && isStandard ? sort.sortBy : '');
  device.writeSetting(CUSTOM_KEY, !isDefault && !isStandard ? sort.sortBy : '');
  device.writeSetting(ORDER_KEY, isDefault ? '' : sort.isDescending ? 'desc' : 'asc');
}
