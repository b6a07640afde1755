import { IconArrowsHorizontal, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';

const SEEN_KEY = 'incidentSwipeHint';

/** Says once on this device what a swipe does: nothing on the card shows it. */
export function SwipeHint() {
  const device = useDevice();
  const [isSeen, setIsSeen] = useState(() => device.readSetting(SEEN_KEY) === 'seen');
  if (isSeen) return null;
  return (
    <p className={classes.hint}>
      <IconArrowsHorizontal size={18} stroke={1.6} aria-hidden />
      <span>{messages.swipeHint}</span>
      <IconButton
        label={messages.dismissHint}
        onClick={() => {
          device.writeSetting(SEEN_KEY, 'seen');
          setIsSeen(true);
        }}
      >
        <IconX size={16} aria-hidden />
      </IconButton>
    </p>
  );
}
