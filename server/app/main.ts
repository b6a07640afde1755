/** The server program: settings, start, signals, exit codes. Wrong settings end it with 2, a failed start with 1. */
import { readLocalProperties } from '../platform/settings/local-properties.ts';
import { createLogger } from '../platform/logger.ts';
import type { Logger } from '../platform/logger.ts';
import { nodePlatform } from '../platform/platform.ts';
import { checkPaths } from '../platform/settings/settings-paths.ts';
import { parseSettings, SettingsError } from '../platform/settings/settings.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { startServer } from './start-server.ts';
import type { RunningServer } from './start-server.ts';

const EXIT_FAILED = 1;
const EXIT_SETTINGS = 2;
/** The promise is 10 s; what hasn't ended by then is cut off. */
const STOP_LIMIT_MS = 9500;
const REPEATED_SIGNAL_MS = 1000;

function readSettings(): { settings: Settings; localProperties: ReadonlyMap<string, string> } {
  try {
    const settings = parseSettings(process.env, process.argv.slice(2));
    checkPaths(process.env, settings.dataDir);
    return { settings, localProperties: readLocalProperties(process.env) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_SETTINGS);
  }
}

function stopOnSignals(server: Promise<RunningServer>, logger: Logger): void {
  let stoppingSinceMs: number | null = null;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSinceMs !== null) {
      // Asked again, somebody is in a hurry; a terminal and npm both pass one Ctrl-C on, which counts once.
      if (nodePlatform.now() - stoppingSinceMs > REPEATED_SIGNAL_MS) process.exit(EXIT_FAILED);
      return;
    }
    stoppingSinceMs = nodePlatform.now();
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('not everything ended in time');
      process.exit(EXIT_FAILED);
    }, STOP_LIMIT_MS).unref();
    server
      .then((running) => running.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          process.exit(EXIT_FAILED);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const { settings, localProperties } = readSettings();
const logger = createLogger(settings.logLevel);
const server = startServer({ settings, localProperties, logger, platform: nodePlatform });
stopOnSignals(server, logger);
server.catch((error: unknown) => {
  logger.fatal({ err: error }, 'the server could not start');
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(EXIT_FAILED);
});
