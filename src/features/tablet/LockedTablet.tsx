/**
 * The page of a shared tablet while nobody is on: it locks away what is there, and opens it again for a PIN
 * (docs/decisions/0057). No worker runs, and nothing of anybody is in memory.
 */
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { everyWhile, leaveSession } from '../../data/device/platform-tablet-person.ts';
import { deviceNow, setWhoIsOn, startPage, tabletHere } from '../../data/device/platform-tablet.ts';
import { askHere } from '../../data/tablet/platform-ask-here.ts';
import {
  forgetTablet,
  forgetWhatIsOver,
  lockAll,
  noteServerTime,
  openPerson,
  type Opened,
} from '../../data/tablet/tablet-safe.ts';
import { forgetPerson, type TabletPerson } from '../../data/tablet/tablet-records.ts';
import { formatClock } from '../../domain/time/format.ts';
import { Button, IconButton } from '../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { messages } from './messages.ts';
import { PinPad } from './PinPad.tsx';
import classes from './tablet.module.css';

const words = messages.locked;

const LOOK_AGAIN_MS = 60_000;

/** Takes the server's time; a revoked tablet forgets everything and becomes an ordinary browser. */
async function listenToServer(): Promise<void> {
  const here = await askHere();
  if (here === null) return;
  if (!here.isRevoked) return Number.isNaN(here.serverMs) ? undefined : noteServerTime(here.serverMs);
  await forgetTablet();
  startPage('/');
}

function usePeople(isAtRest: boolean) {
  const [people, setPeople] = useState<TabletPerson[] | null>(null);
  const [lost, setLost] = useState<string | null>(null);
  useEffect(() => {
    const lock = async () => {
      const locked = await lockAll();
      // Those who can come back are shown as soon as everything is locked, whatever the server says.
      setPeople(locked.people);
      setLost(locked.lost);
      await listenToServer();
    };
    lock().catch((error: unknown) => reportError(error));
  }, []);
  useEffect(() => {
    if (!isAtRest) return;
    // Left on this page over the end of a shift, and over its revocation.
    const lookAgain = async () => {
      setPeople(await forgetWhatIsOver());
      await listenToServer();
    };
    return everyWhile(LOOK_AGAIN_MS, () => {
      lookAgain().catch((error: unknown) => reportError(error));
    });
  }, [isAtRest]);
  return { people, setPeople, lost };
}

const problemOf = (opened: Exclude<Opened, { kind: 'open' }>): string =>
  opened.kind === 'wrong' ? words.wrong(opened.left) : words[opened.kind];

function Open({ person, onBack }: { person: TabletPerson; onBack: () => void }) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (pin: string) => {
    setIsBusy(true);
    try {
      const opened = await openPerson(person.id, pin);
      if (opened.kind !== 'open') {
        setProblem(problemOf(opened));
        setIsBusy(false);
        return;
      }
      startPage('/health');
    } catch (error) {
      reportError(error);
      setProblem(words.failed);
      setIsBusy(false);
    }
  };
  return (
    <PinPad
      label={person.label}
      problem={problem}
      isBusy={isBusy}
      onPin={(pin) => void open(pin)}
      onBack={onBack}
    />
  );
}

interface PeopleProps {
  people: readonly TabletPerson[];
  lockedAtMs: number;
  onChoose: (person: TabletPerson) => void;
  onRemove: (person: TabletPerson) => void;
}

function People({ people, lockedAtMs, onChoose, onRemove }: PeopleProps) {
  if (people.length === 0) return <p className={classes.note}>{words.nobody}</p>;
  return (
    <ul className={classes.people}>
      {people.map((person) => (
        <li key={person.id} className={classes.person}>
          <button type="button" className={classes.choose} onClick={() => onChoose(person)}>
            <strong>{person.label}</strong>
            <span>{words.until(formatClock(person.endsAtMs, lockedAtMs))}</span>
            {person.hasUnsent && <span>{words.unsent}</span>}
          </button>
          <IconButton
            className={classes.remove ?? ''}
            label={words.remove(person.label)}
            onClick={() => onRemove(person)}
          >
            <IconTrash size={18} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function SignIn() {
  const [isRefused, setIsRefused] = useState(false);
  const begin = async () => {
    if (!(await leaveSession())) return setIsRefused(true);
    setWhoIsOn('new');
    startPage('/login');
  };
  return (
    <>
      <Button onClick={() => void begin()}>{words.someoneElse}</Button>
      {isRefused && (
        <p role="alert" className={classes.note}>
          {words.needsServer}
        </p>
      )}
    </>
  );
}

/** See the head of this file. */
export function LockedTablet() {
  const [lockedAtMs] = useState(deviceNow);
  const [chosen, setChosen] = useState<TabletPerson | null>(null);
  const [removed, setRemoved] = useState<TabletPerson | null>(null);
  const { people, setPeople, lost } = usePeople(chosen === null);
  const remove = async (person: TabletPerson) => {
    await forgetPerson(person.id);
    setRemoved(null);
    setPeople(await forgetWhatIsOver());
  };
  const back = () => {
    setChosen(null);
    forgetWhatIsOver().then(setPeople, (error: unknown) => reportError(error));
  };
  return (
    <main className={classes.page}>
      <span className={classes.name}>{tabletHere()}</span>
      <h1>{words.title}</h1>
      {people === null && <p role="status">{words.locking}</p>}
      {lost !== null && (
        <p role="alert" className={classes.note}>
          {words.lost(lost)}
        </p>
      )}
      {people !== null && chosen === null && (
        <>
          <People people={people} lockedAtMs={lockedAtMs} onChoose={setChosen} onRemove={setRemoved} />
          <SignIn />
        </>
      )}
      {chosen !== null && <Open person={chosen} onBack={back} />}
      {removed !== null && (
        <ConfirmDialog
          title={words.remove(removed.label)}
          question={`${words.removeQuestion(removed.label)}${removed.hasUnsent ? ` ${words.removeUnsent}` : ''}`}
          confirm={words.removeConfirm}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(null)}
        />
      )}
    </main>
  );
}
