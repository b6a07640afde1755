import { useEffect, useState } from 'react';
import { useDevice } from '../../ui/Device.tsx';
import { useSettled } from '../../ui/hooks/use-settled.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';

const KEY = 'logs.columns';
/** Spec 3 §2 'Logs'. */
const SAVE_DELAY_MS = 500;
export const MIN_WIDTH_PX = 90;
const MAX_WIDTH_PX = 900;

/** px; what is left over is the message's. */
export interface ColumnWidths {
  time: number;
  labels: number;
}
const FIRST: ColumnWidths = { time: 220, labels: 260 };

const bounded = (value: unknown, otherwise: number) =>
  typeof value === 'number' && Number.isFinite(value)
    ? Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, Math.round(value)))
    : otherwise;

/** What was stored, as far as it can be read. */
export function readWidths(stored: string | null): ColumnWidths {
  const found = jsonOrNull(stored);
  const widths = typeof found === 'object' && found !== null ? { ...FIRST, ...found } : FIRST;
  return { time: bounded(widths.time, FIRST.time), labels: bounded(widths.labels, FIRST.labels) };
}

/** Widths of the columns, remembered by this device half a second after the last change. */
export function useColumnWidths() {
  const device = useDevice();
  const [widths, setWidths] = useState(() => readWidths(device.readSetting(KEY)));
  const settled = useSettled(widths, SAVE_DELAY_MS);
  useEffect(() => {
    const text = JSON.stringify(settled);
    if (device.readSetting(KEY) !== text) device.writeSetting(KEY, text);
  }, [device, settled]);
  const resize = (column: keyof ColumnWidths, byPx: number) =>
    setWidths((before) => ({ ...before, [column]: bounded(before[column] + byPx, before[column]) }));
  return { widths, resize };
}
