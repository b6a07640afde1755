/** In the top bar of a shared tablet: who is on hands it over or ends the shift; whoever has no PIN chooses one. */
import { IconClipboardText, IconDeviceTablet, IconLock, IconLogout } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useOutbox } from '../../data/commands/use-outbox.ts';
import {
  deviceNow,
  leaveSession,
  lockTablet,
  watchTablet,
  whoIsOn,
} from '../../data/device/platform-tablet.ts';
import { findPeople, forgetPerson } from '../../data/tablet/tablet-safe.ts';
import { IDLE_MS } from '../../domain/tablet/locked-person.ts';
import { links } from '../../domain/links.ts';
import { formatClock } from '../../domain/time/format.ts';
import { outboxCounts } from '../../domain/sync/outbox-counts.ts';
import { IconButton } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { MenuItem, MenuNote, Popover } from '../../ui/overlays/Popover.tsx';
import { messages } from './messages.ts';
import { PinSetup } from './PinSetup.tsx';

const words = messages.menu;

/** Of whoever is on, when the shift ends; null while nobody with a PIN is. */
function useEndOfShift(person: string | null): number | null {
  const [endsAtMs, setEndsAtMs] = useState<number | null>(null);
  useEffect(() => {
    findPeople().then(
      (people) => setEndsAtMs(people.find(({ id }) => id === person)?.endsAtMs ?? null),
      (error: unknown) => reportError(error),
    );
  }, [person]);
  useEffect(() => {
    if (endsAtMs === null) return;
    return watchTablet({ idleMs: IDLE_MS, endsAtMs, onLock: lockTablet });
  }, [endsAtMs]);
  return endsAtMs;
}

function EndShift({ person, onClose }: { person: string; onClose: () => void }) {
  const outbox = useOutbox();
  const counts = outbox === undefined ? null : outboxCounts(outbox.items);
  const waiting = counts === null ? 0 : counts.kept + counts.sending + counts.refused;
  const end = async () => {
    await forgetPerson(person);
    // Without an answer the session's token goes with everything else that is deleted here.
    await leaveSession();
    lockTablet();
  };
  return (
    <ConfirmDialog
      title={words.endTitle}
      question={waiting === 0 ? words.endQuestion : `${words.endQuestion} ${words.endUnsent(waiting)}`}
      confirm={words.endConfirm}
      onConfirm={() => void end()}
      onClose={onClose}
    />
  );
}

/** Shown where this browser is a shared tablet. */
export function TabletMenu() {
  const [person, setPerson] = useState(whoIsOn);
  const device = useDevice();
  const [isEnding, setIsEnding] = useState(false);
  const [openedAtMs] = useState(deviceNow);
  const endsAtMs = useEndOfShift(person);
  if (person === null || person === 'new') return <PinSetup onDone={() => setPerson(whoIsOn())} />;
  return (
    <>
      <Popover
        kind="menu"
        label={words.label}
        trigger={(trigger) => (
          <IconButton label={words.label} {...trigger}>
            <IconDeviceTablet size={19} stroke={1.6} />
          </IconButton>
        )}
      >
        {(close) => (
          <>
            {endsAtMs !== null && <MenuNote>{words.until(formatClock(endsAtMs, openedAtMs))}</MenuNote>}
            <MenuItem
              icon={<IconClipboardText size={16} />}
              onSelect={() => {
                close();
                device.navigate(links.shift());
              }}
            >
              {words.note}
            </MenuItem>
            <MenuItem icon={<IconLock size={16} />} onSelect={lockTablet}>
              {words.lock}
            </MenuItem>
            <MenuItem
              icon={<IconLogout size={16} />}
              onSelect={() => {
                close();
                setIsEnding(true);
              }}
            >
              {words.end}
            </MenuItem>
          </>
        )}
      </Popover>
      {isEnding && <EndShift person={person} onClose={() => setIsEnding(false)} />}
    </>
  );
}
