import { IconBellOff } from '@tabler/icons-react';
import { useSilencedUntil } from '../../../data/queries/notifications/use-silences.ts';
import { formatClock } from '../../../domain/time/format.ts';
import { useDevice } from '../../../ui/Device.tsx';
import type { Silenceable } from '../../../ui/page/Silences.tsx';
import { messages } from './messages.ts';
import classes from './silences.module.css';

/** A small mark beside what is silent, with until when; nothing beside anything else. */
export function SilenceMark({ kind, id }: Silenceable) {
  const device = useDevice();
  const untilMs = useSilencedUntil(kind, id);
  if (untilMs === null) return null;
  const text = messages.silentUntil(formatClock(untilMs, device.now()));
  return (
    <span className={classes.mark} title={text} data-silenced="">
      <IconBellOff size={14} aria-hidden />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
