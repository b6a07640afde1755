/** A silence as the store of a device keeps it: columns of a row that may be anything, read once. */
import { nextWindows } from '../incident/next-windows.ts';
import { windowsOf } from './recurrence.ts';
import { isActive, type Silence } from './silence.ts';

export interface SilenceFacts extends Silence {
  description: string | null;
  source: string | null;
  createdBy: string | null;
  createdAt: string | null;
  updatedAt: string | null;
}

type Row = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** ms; an end that can't be read is long past. */
const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) || 0 : 0);

/** See the head of this file. */
export function silenceOfRow(row: Row): SilenceFacts {
  return {
    id: String(row['id']),
    fromMs: timeOf(row['from']),
    untilMs: timeOf(row['until']),
    isRecursive: row['recursive'] === true,
    configId: textOf(row['config_id']),
    componentId: textOf(row['component_id']),
    checkId: textOf(row['check_id']),
    canaryId: textOf(row['canary_id']),
    selector: textOf(row['selector']),
    filter: textOf(row['filter']),
    recurrence: windowsOf(row['recurrence']),
    description: textOf(row['description']),
    source: textOf(row['source']),
    createdBy: textOf(row['created_by']),
    createdAt: textOf(row['created_at']),
    updatedAt: textOf(row['updated_at']),
  };
}

/** Where it stands: before its start, between its hours, silencing, or over. */
export type SilencePhase = 'planned' | 'between' | 'active' | 'over';

/** See `SilencePhase`. */
export function phaseOf(silence: Silence, nowMs: number): SilencePhase {
  if (nowMs > silence.untilMs) return 'over';
  if (nowMs < silence.fromMs) return 'planned';
  return isActive(silence, nowMs) ? 'active' : 'between';
}

/** Until when what it covers stays silent, ms: its end, or that of its present hours. */
export function silentUntilMs(silence: Silence, nowMs: number): number {
  const [now] = nextWindows(silence.recurrence, { fromMs: nowMs, untilMs: silence.untilMs }, 1);
  return now?.startMs === nowMs ? now.endMs : silence.untilMs;
}
