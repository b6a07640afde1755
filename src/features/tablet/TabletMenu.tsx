/** In the top bar of a shared tablet: who is on hands it over or ends the shift; whoever has no PIN chooses one. */
import { IconClipboardText, IconDeviceTablet, IconLock, IconLogout } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useOutbox } from '../../data/commands/use-outbox.ts';
import { everyWhile, leaveSession, readToken } from '../../data/device/platform-tablet-person.ts';
import { deviceNow, lockTablet, whoIsOn } from '../../data/device/platform-tablet.ts';
import { administer } from '../../data/session/administration.ts';
import { findPeople, forgetPerson, type TabletPerson } from '../../data/tablet/tablet-records.ts';
import { timeToLock } from '../../domain/tablet/locked-person.ts';
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

const LOOK_EVERY_MS = 1000;
const BIND_EVERY_MS = 5000;

/** Whoever is on, as the tablet knows him; null while nobody with a PIN is. Locks it at the end of the shift. */
function usePerson(id: string | null, storeName: string): TabletPerson | null {
  const [person, setPerson] = useState<TabletPerson | null>(null);
  useEffect(() => {
    findPeople().then(
      (people) => setPerson(people.find((one) => one.id === id) ?? null),
      (error: unknown) => reportError(error),
    );
  }, [id]);
  useEffect(() => {
    if (person === null) return;
    // Somebody else signed in where this person was: nothing of the two may come together.
    if (person.storeName !== undefined && person.storeName !== storeName) return lockTablet();
    const lockAtMs = timeToLock(person, deviceNow());
    return everyWhile(LOOK_EVERY_MS, () => {
      if (deviceNow() >= lockAtMs) lockTablet();
    });
  }, [person, storeName]);
  return person;
}

/** A new password or second factor brings a session that this page can't lock away: it is bound to the tablet, too. */
function useBoundSession(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    let isAsking = false;
    const bind = async () => {
      if (isAsking || readToken() !== null) return;
      isAsking = true;
      await administer({ name: 'bind_tablet_session' });
      isAsking = false;
    };
    return everyWhile(BIND_EVERY_MS, () => {
      bind().catch((error: unknown) => reportError(error));
    });
  }, [isOn]);
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

/** Shown where this browser is a shared tablet; `storeName` is that of who is signed in. */
export function TabletMenu({ storeName }: { storeName: string }) {
  const [id, setId] = useState(whoIsOn);
  const device = useDevice();
  const [isEnding, setIsEnding] = useState(false);
  const [openedAtMs] = useState(deviceNow);
  const person = usePerson(id, storeName);
  useBoundSession(person !== null);
  if (id === null || id === 'new') return <PinSetup storeName={storeName} onDone={() => setId(whoIsOn())} />;
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
            {person !== null && (
              <MenuNote>
                {person.endsAtMs > openedAtMs
                  ? words.until(formatClock(person.endsAtMs, openedAtMs))
                  : words.over}
              </MenuNote>
            )}
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
      {isEnding && <EndShift person={id} onClose={() => setIsEnding(false)} />}
    </>
  );
}
