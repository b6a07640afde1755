/** The server's structured log: one JSON object a line on standard output, secrets removed at the source. */
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where a secret can sit in what we log; a value found there is replaced, whatever it is. */
const SECRET_PATHS = [
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
  'headers.cookie',
  'headers.authorization',
  'password',
  '*.password',
  'token',
  '*.token',
  'csrf_token',
  '*.csrf_token',
];

/** Query strings carry tokens (logout) and passwords (people who type them there): only the path is logged. */
function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** A logger for the whole program; `destination` is for tests that read what was written. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: SECRET_PATHS, censor: '[removed]' },
    serializers: {
      req: (req: { method: string; url: string; ip?: string }) => ({
        method: req.method,
        path: pathOf(req.url),
        ip: req.ip,
      }),
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
