/**
 * The page of a shared tablet while nobody is on: it locks away what is there, and opens it again for a PIN
 * (docs/decisions/0057). No worker runs, and nothing of anybody is in memory.
 */
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import {
  deviceNow,
  leaveSession,
  setWhoIsOn,
  startPage,
  tabletHere,
} from '../../data/device/platform-tablet.ts';
import { isRevoked } from '../../data/tablet/platform-ask-here.ts';
import {
  forgetPerson,
  forgetTablet,
  lockAll,
  openPerson,
  type Opened,
  type TabletPerson,
} from '../../data/tablet/tablet-safe.ts';
import { formatClock } from '../../domain/time/format.ts';
import { Button, IconButton } from '../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { messages } from './messages.ts';
import { PinPad } from './PinPad.tsx';
import classes from './tablet.module.css';

const words = messages.locked;

/** A revoked tablet forgets everything and becomes an ordinary browser. */
async function leaveIfRevoked(): Promise<void> {
  if (!(await isRevoked())) return;
  await forgetTablet();
  startPage('/');
}

function usePeople() {
  const [people, setPeople] = useState<TabletPerson[] | null>(null);
  useEffect(() => {
    const lock = async () => {
      // Those who can come back are shown as soon as everything is locked, whatever the server says.
      setPeople(await lockAll());
      await leaveIfRevoked();
    };
    lock().catch((error: unknown) => reportError(error));
  }, []);
  return { people, setPeople };
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
      setWhoIsOn(person.id);
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
  const { people, setPeople } = usePeople();
  const [lockedAtMs] = useState(deviceNow);
  const [chosen, setChosen] = useState<TabletPerson | null>(null);
  const [removed, setRemoved] = useState<TabletPerson | null>(null);
  const remove = async (person: TabletPerson) => {
    await forgetPerson(person.id);
    setRemoved(null);
    setPeople(await lockAll());
  };
  const back = () => {
    setChosen(null);
    lockAll().then(setPeople, (error: unknown) => reportError(error));
  };
  return (
    <main className={classes.page}>
      <span className={classes.name}>{tabletHere()}</span>
      <h1>{words.title}</h1>
      {people === null && <p role="status">{words.locking}</p>}
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
