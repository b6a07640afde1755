/** Pictures as somebody without colours sees them, small enough to be compared. */
import type { Locator } from '@playwright/test';

const SIDE = 24;

const STILL = 0.01;
const LOOKS = 20;

/** How strongly each point of it stands out from its ground in shades of grey, 0 to 1, once it no longer moves: a grid over its ink. */
export async function inkOf(part: Locator): Promise<number[]> {
  let before = await look(part);
  for (let at = 0; at < LOOKS; at += 1) {
    const now = await look(part);
    if (difference(before, now) < STILL) return now;
    before = now;
  }
  throw new Error('it never stands still');
}

async function look(part: Locator): Promise<number[]> {
  const png = (await part.screenshot()).toString('base64');
  return part.page().evaluate(
    async ({ data, side }) => {
      const bytes = Uint8Array.from(atob(data), (sign) => sign.codePointAt(0) ?? 0);
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = picture;
      const pen = new OffscreenCanvas(width, height).getContext('2d');
      pen?.drawImage(picture, 0, 0);
      const channels = pen?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
      const greys = Array.from({ length: width * height }, (_, at) => {
        const [red = 0, green = 0, blue = 0] = channels.subarray(at * 4, at * 4 + 3);
        return 0.299 * red + 0.587 * green + 0.114 * blue;
      });
      const ground = greys[0] ?? 0;
      const most = Math.max(1, ...greys.map((grey) => Math.abs(grey - ground)));
      const inks = greys.map((grey) => Math.abs(grey - ground) / most);
      // Where on the pixels it lies is no part of its shape: only the box that has ink is looked at.
      const inked = [...inks.keys()].filter((at) => (inks[at] ?? 0) > 0.5);
      const columns = inked.map((at) => at % width);
      const rows = inked.map((at) => Math.floor(at / width));
      const [left, top] = [Math.min(...columns), Math.min(...rows)];
      const [wide, high] = [Math.max(...columns) - left + 1, Math.max(...rows) - top + 1];
      return Array.from({ length: side * side }, (_, at) => {
        const x = left + Math.floor((((at % side) + 0.5) / side) * wide);
        const y = top + Math.floor(((Math.floor(at / side) + 0.5) / side) * high);
        return inks[y * width + x] ?? 0;
      });
    },
    { data: png, side: SIDE },
  );
}

/** How much two such pictures differ: 0 for the same, 1 where each point does. */
export function difference(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

/** Such a picture as text, for whoever reads why two are not told apart. */
export function drawn(picture: readonly number[]): string {
  const signs = picture.map((value) => (value > 0.5 ? '#' : value > 0.2 ? '+' : '.'));
  return Array.from({ length: SIDE }, (_, at) => signs.slice(at * SIDE, (at + 1) * SIDE).join('')).join('\n');
}
