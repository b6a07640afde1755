/** Pictures for the docs: WebP, made by the browser that took them, and written only when they show something new. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const QUALITY = 0.85;
/** A channel may differ by this much without being seen: lossy compression, smoothing of letters. */
const SAME_CHANNEL = 24;
/** Share of pixels that may differ: an age that counts on, a cursor. */
const SAME_SHARE = 0.002;
const MAX_BYTES = 120_000;
/** Wider ones are made smaller: nobody reads documents on a wall. */
const MAX_WIDTH = 1440;

interface Encoded {
  webp: string;
  /** Share of pixels that differ from the picture that is there; null where there is none of that size. */
  changed: number | null;
}

const dataUrl = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;

/** Compresses a screenshot in `page`, which may show anything, and compares it with what is stored. */
async function encode(page: Page, png: Buffer, stored: Buffer | null): Promise<Encoded> {
  const input = {
    taken: dataUrl('png', png),
    stored: stored === null ? null : dataUrl('webp', stored),
    quality: QUALITY,
    sameChannel: SAME_CHANNEL,
    maxWidth: MAX_WIDTH,
  };
  // No named function in here: the compiler of scripts would mark it with a helper that the page doesn't have.
  return page.evaluate(async ({ taken, stored: before, quality, sameChannel, maxWidth }) => {
    const drawn = await Promise.all(
      [taken, before].map(async (url) => {
        const image = new Image();
        if (url === null) return null;
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        const scale = Math.min(1, maxWidth / image.naturalWidth);
        canvas.width = Math.round(image.naturalWidth * scale);
        canvas.height = Math.round(image.naturalHeight * scale);
        const pen = canvas.getContext('2d');
        pen?.drawImage(image, 0, 0, canvas.width, canvas.height);
        return { canvas, pixels: pen?.getImageData(0, 0, canvas.width, canvas.height).data ?? [] };
      }),
    );
    const now = drawn[0]?.pixels ?? [];
    const then = drawn[1]?.pixels ?? [];
    let differing = 0;
    for (let at = 0; then.length === now.length && at < now.length; at += 4) {
      const isOther = [0, 1, 2].some(
        (channel) => Math.abs((now[at + channel] ?? 0) - (then[at + channel] ?? 0)) > sameChannel,
      );
      if (isOther) differing += 1;
    }
    return {
      webp: (drawn[0]?.canvas.toDataURL('image/webp', quality) ?? '').replace(/^.*,/, ''),
      changed: then.length === now.length ? differing / (now.length / 4) : null,
    };
  }, input);
}

/** Stores a screenshot as WebP under `path`; one that shows nothing new leaves the file as it is. */
export async function writePicture(page: Page, path: string, png: Buffer): Promise<void> {
  const stored = existsSync(path) ? readFileSync(path) : null;
  const { webp, changed } = await encode(page, png, stored);
  if (changed !== null && changed <= SAME_SHARE) return;
  const bytes = Buffer.from(webp, 'base64');
  if (bytes.length > MAX_BYTES) throw new Error(`${path} has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  writeFileSync(path, bytes);
}
