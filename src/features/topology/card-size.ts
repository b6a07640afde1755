/** How wide cards are (spec 2 §2, §9): one of four sizes, or what the slider says; remembered by this device. */
import type { Device } from '../../ui/Device.tsx';

const WIDTH_KEY = 'topology_card_width';

/** Px. */
export const CARD_SIZES = { small: 198, medium: 258, large: 356, extra_large: 554 } as const;
export type CardSize = keyof typeof CARD_SIZES;
export const CARD_SIZE_NAMES: readonly CardSize[] = ['small', 'medium', 'large', 'extra_large'];
/** What the slider offers. */
export const WIDTH_RANGE = { min: 250, max: 768, step: 2 } as const;

const isSize = (text: string): text is CardSize => Object.hasOwn(CARD_SIZES, text);

/** The width that is remembered; a name of a size counts, too. */
export function readCardWidth(device: Pick<Device, 'readSetting'>): number {
  const text = (device.readSetting(WIDTH_KEY) ?? '').replaceAll('"', '').trim();
  if (isSize(text)) return CARD_SIZES[text];
  const width = Number.parseInt(text, 10);
  if (Number.isNaN(width)) return CARD_SIZES.extra_large;
  return Math.max(CARD_SIZES.small, Math.min(WIDTH_RANGE.max, width));
}

/** For the next visit. */
export function writeCardWidth(device: Pick<Device, 'writeSetting'>, width: number): void {
  device.writeSetting(WIDTH_KEY, String(width));
}

/** The size whose look a width has: the largest that isn't wider. */
export function sizeOf(width: number): CardSize {
  return CARD_SIZE_NAMES.findLast((size) => CARD_SIZES[size] <= width) ?? 'small';
}
