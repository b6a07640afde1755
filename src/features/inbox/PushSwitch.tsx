/** Whether this device is told of mentions while the app is closed. */
import { useEffect, useMemo, useState } from 'react';
import {
  pushState,
  switchOff,
  switchOn,
  testPush,
  type PushMemory,
  type PushProblem,
  type PushState,
} from '../../data/device/push.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { Switch } from '../../ui/fields/Switch.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import classes from './inbox.module.css';
import { messages } from './messages.ts';
import { memoryOf } from './push-memory.ts';

const words = messages.push;

function usePushState(userId: string, memory: PushMemory) {
  const [state, setState] = useState<PushState | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    let isWanted = true;
    void pushState(userId, memory).then((found) => {
      if (isWanted) setState(found);
    });
    return () => {
      isWanted = false;
    };
  }, [userId, memory, looks]);
  return { state, look: () => setLooks((before) => before + 1) };
}

function problemText(problem: NonNullable<PushProblem> | 'unconfirmed'): string {
  if (problem === 'unconfirmed') return words.unconfirmed;
  return problem === 'not-allowed' ? words.notAllowed : `${words.failed}: ${messages.errorText(problem)}`;
}

/** Where the browser can't, it says why. */
export function PushSwitch({ userId }: { userId: string }) {
  const device = useDevice();
  const toasts = useToasts();
  const isReachable = useReachable();
  const memory = useMemo(() => memoryOf(device), [device]);
  const { state, look } = usePushState(userId, memory);
  const [isBusy, setIsBusy] = useState(false);
  const act = async (work: () => Promise<PushProblem | 'unconfirmed'>, done?: string) => {
    setIsBusy(true);
    const problem = await work();
    setIsBusy(false);
    if (problem !== null) toasts.error(problemText(problem));
    else if (done !== undefined) toasts.success(done);
    look();
  };
  if (state === null) return null;
  if (state !== 'on' && state !== 'off') {
    return (
      <section aria-label={words.title} className={classes.push}>
        <p className={classes.hint}>{words.states[state]}</p>
      </section>
    );
  }
  const isOn = state === 'on';
  return (
    <section aria-label={words.title} className={classes.push}>
      <div className={classes.pushLine}>
        <Switch
          label={words.label}
          isOn={isOn}
          lockedBy={isReachable ? null : words.offline}
          onChange={() => void act(() => (isOn ? switchOff(memory) : switchOn(userId, memory)))}
        />
        {isOn && (
          <Button
            look="quiet"
            disabled={isBusy || !isReachable}
            onClick={() => void act(testPush, words.tested)}
          >
            {words.test}
          </Button>
        )}
      </div>
      <p className={classes.hint}>{words.hint}</p>
    </section>
  );
}
