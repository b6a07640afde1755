import { statSync } from 'node:fs';

const NOT_THERE: readonly unknown[] = ['ENOENT', 'ENOTDIR'];

/** Whether the path exists. One that may not be looked at does: `existsSync` would say that there is nothing. */
export function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && NOT_THERE.includes(error.code));
  }
}
