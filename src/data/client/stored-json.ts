import type { StoredTexts } from './platform.ts';

/** What is stored under a name; null for nothing, and for what is no JSON (any more), which is reported. */
export function storedJson(platform: StoredTexts, key: string): unknown {
  try {
    return JSON.parse(platform.readStored(key) ?? 'null');
  } catch (error) {
    platform.report(error);
    return null;
  }
}
