/** How bad a line is: by what it says of itself, else by the word for it near its beginning. */
import { lookupTable } from '../../lib/lookup-table.ts';
export const LOG_LEVELS = ['fatal', 'error', 'warning', 'info', 'debug', 'trace', 'unknown'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const WORDS = lookupTable<LogLevel>({
  fatal: 'fatal',
  panic: 'fatal',
  emerg: 'fatal',
  emergency: 'fatal',
  alert: 'fatal',
  crit: 'fatal',
  critical: 'fatal',
  error: 'error',
  err: 'error',
  severe: 'error',
  warning: 'warning',
  warn: 'warning',
  notice: 'info',
  info: 'info',
  information: 'info',
  informational: 'info',
  log: 'info',
  debug: 'debug',
  dbg: 'debug',
  trace: 'trace',
  verbose: 'trace',
});
const NUMBERS = lookupTable<LogLevel>({
  '10': 'trace',
  '20': 'debug',
  '30': 'info',
  '40': 'warning',
  '50': 'error',
  '60': 'fatal',
});
const LABELS = ['level', 'severity', 'detected_level', 'lvl', 'log.level', 'loglevel'] as const;
/** In JSON and logfmt. */
const FIELD = /["']?\b(?:level|severity|lvl|loglevel|log\.level)["']?\s?[=:]\s?["']?([A-Za-z]+|\d\d\b)/i;
const KLOG = /^([IWEF])\d{4} \d\d:/;
const KLOG_LEVELS = lookupTable<LogLevel>({ I: 'info', W: 'warning', E: 'error', F: 'fatal' });
const WORD =
  /\b(FATAL|PANIC|EMERG|CRIT(?:ICAL)?|ERROR|ERR|SEVERE|WARN(?:ING)?|NOTICE|INFO|DEBUG|TRACE)\b|\[(fatal|panic|crit|error|err|warn|warning|notice|info|debug|trace)\]/;
/** A field may stand behind a long message; a word for the level stands at the beginning. */
const FIELD_WITHIN = 400;
const WORD_WITHIN = 120;

/** The level of a word for it, in any case; null for another word. */
export function levelOfWord(word: string): LogLevel | null {
  const lower = word.trim().toLowerCase();
  return WORDS[lower] ?? NUMBERS[lower] ?? null;
}

/** See the head of this file. */
export function levelOf(message: string, labels: Readonly<Record<string, string>>): LogLevel {
  for (const name of LABELS) {
    const label = labels[name];
    const level = label === undefined ? null : levelOfWord(label);
    if (level !== null) return level;
  }
  const klog = KLOG.exec(message)?.[1];
  if (klog !== undefined) return KLOG_LEVELS[klog] ?? 'unknown';
  const field = FIELD.exec(message.slice(0, FIELD_WITHIN))?.[1];
  const ofField = field === undefined ? null : levelOfWord(field);
  if (ofField !== null) return ofField;
  const [, upper, bracketed] = WORD.exec(message.slice(0, WORD_WITHIN)) ?? [];
  return levelOfWord(upper ?? bracketed ?? '') ?? 'unknown';
}
