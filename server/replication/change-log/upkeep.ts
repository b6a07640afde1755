/** Keeps the change log from growing for ever: forgets what nobody asks for any more, and tidies its file. */
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { forgetBefore, vacuumLog } from './state-query.ts';

const HOUR_MS = 3_600_000;
/** Devices that stay away longer send what they kept and start over (law 3). */
const REMEMBERED_MS = 90 * 24 * HOUR_MS;

export async function keepLogSmall(
  { db, platform, logger }: { db: Database; platform: Platform; logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await platform.sleep(HOUR_MS, signal);
    if (signal.aborted) return;
    try {
      const forgotten = await forgetBefore(db, new Date(platform.now() - REMEMBERED_MS));
      if (forgotten > 0) logger.info({ forgotten }, 'change log: old entries forgotten');
      await vacuumLog(db);
    } catch (error) {
      logger.error({ err: error }, 'change log: upkeep failed, tried again in an hour');
    }
  }
}
