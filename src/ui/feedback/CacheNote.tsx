import { formatClock } from '../../domain/time/format.ts';
import { useDevice } from '../Device.tsx';
import classes from './CacheNote.module.css';
import { messages } from '../messages.ts';

/** Where an answer comes from, said when it isn't fresh from the server. */
export function CacheNote(props: { asOfMs: number; source: 'server' | 'device'; isPartial: boolean }) {
  const { asOfMs, source, isPartial } = props;
  const device = useDevice();
  if (source === 'server' && !isPartial) return null;
  const clock = formatClock(asOfMs, device.now());
  const from = source === 'device' ? messages.fromDevice(clock) : messages.asOf(clock);
  return <p className={classes.note}>{isPartial ? `${from}: ${messages.partial}` : from}</p>;
}
