import { open } from 'node:fs/promises';

/** Sees to it that the names in a folder, not only the files behind them, are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
