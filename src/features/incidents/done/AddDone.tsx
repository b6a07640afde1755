/** Adds to the definition of done: what shows it, then the script that tells when it is so (spec 3 §2). */
import { useRef, useState } from 'react';
import type { CommandRequest } from '../../../contract/commands/all-commands.ts';
import { firstScript } from '../../../domain/incident/done-scripts.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { AddEvidenceWizard } from '../evidence/AddEvidenceWizard.tsx';
import { useOneAtATime } from '../../../ui/hooks/one-at-a-time.ts';
import { useIncident } from '../incident-context.tsx';
import { useRecords } from '../use-records.ts';
import { ChooseItems } from './ChooseItems.tsx';
import { ChooseScripts } from './ChooseScripts.tsx';
import { draftRequest, joinRequest, manualRequest, type Scripts } from './done-requests.ts';
import classes from './done.module.css';
import { messages } from './messages.ts';
import { hasChoice, NO_CHOICE, ownScript, typesOf, type DoneChoice } from './done-choice.ts';

const words = messages.wizard;

/** New evidence belongs to the incident's own hypothesis. */
function useHome(incidentId: string): string | null {
  const roots = useRecords(incidentId, 'hypothesis', {
    where: [{ field: 'type', op: 'eq', value: 'root' }],
  });
  const any = useRecords(incidentId, 'hypothesis');
  return roots.rows[0]?.id ?? any.rows[0]?.id ?? null;
}

/** Sends each once; what could not be kept, and what follows, is sent when it is asked for again. */
function useSendOnce() {
  const { send } = useIncident();
  const rest = useRef<CommandRequest[] | null>(null);
  return async (make: () => CommandRequest[]) => {
    rest.current ??= make();
    for (let next = rest.current[0]; next !== undefined; next = rest.current[0]) {
      // In order: the first that can't be kept says that the others can't either.
      if (!(await send(next))) return false;
      rest.current.shift();
    }
    return true;
  };
}

/** Sends one command, however often it is pressed. */
export function AddDone({ onClose }: { onClose: () => void }) {
  const { incidentId } = useIncident();
  const device = useDevice();
  const toasts = useToasts();
  const hypothesisId = useHome(incidentId);
  const sendOnce = useSendOnce();
  const once = useOneAtATime();
  const [choice, setChoice] = useState<DoneChoice>(NO_CHOICE);
  const [isSearching, setIsSearching] = useState(false);
  const [step, setStep] = useState<'items' | 'script'>('items');
  const [scripts, setScripts] = useState<Scripts>({});
  const types = typesOf(choice);
  const all = Object.fromEntries(
    types.map((type) => [type, scripts[type] ?? ownScript(choice, type) ?? firstScript(type)]),
  );
  const requests = (): CommandRequest[] => {
    if (choice.way === 'existing')
      return [...choice.rows.values()].map((row) => joinRequest(incidentId, row, all));
    if (hypothesisId === null) return [];
    const place = { incidentId, hypothesisId, newId: () => device.newId() };
    if (choice.way === 'new') return choice.drafts.map((draft) => draftRequest(draft, place, all));
    return [manualRequest({ description: choice.text.trim(), isDone: choice.isDone }, place)];
  };
  const add = async () => {
    if (await sendOnce(requests)) onClose();
    else toasts.error(messages.failures.mark);
  };
  // What is done by hand has no second step.
  const isLast = step === 'script' || choice.way === 'manual';
  const steps = choice.way === 'manual' ? 1 : 2;
  const isMissingHome = choice.way !== 'existing' && hypothesisId === null;
  return (
    <Modal title={messages.add} size="very-small" onClose={onClose}>
      <form
        className={classes.form}
        data-unsaved={hasChoice(choice) ? '' : undefined}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!hasChoice(choice) || isMissingHome) return;
          if (isLast) void once(add);
          else setStep('script');
        }}
      >
        <p className={classes.steps} role="status">
          {words.step(step === 'items' ? 1 : 2, steps, words.steps[step])}
        </p>
        {step === 'items' ? (
          <ChooseItems
            choice={choice}
            onChange={setChoice}
            onSearch={hypothesisId === null ? null : () => setIsSearching(true)}
          />
        ) : (
          <ChooseScripts
            choice={choice}
            scripts={all}
            onChange={(type, script) => setScripts((before) => ({ ...before, [type]: script }))}
          />
        )}
        {isMissingHome && <p className={classes.note}>{words.noRoot}</p>}
        <div className={classes.actions}>
          {step === 'script' ? (
            <Button look="quiet" onClick={() => setStep('items')}>
              {words.back}
            </Button>
          ) : (
            <span />
          )}
          <Button look="quiet" onClick={onClose}>
            {messages.cancel}
          </Button>
          <Button look="primary" type="submit" disabled={!hasChoice(choice) || isMissingHome}>
            {isLast ? words.add : words.next}
          </Button>
        </div>
      </form>
      {/* Beside the form: what is sent in there is not for this one. */}
      {isSearching && hypothesisId !== null && (
        <AddEvidenceWizard
          hypothesisId={hypothesisId}
          onClose={() => setIsSearching(false)}
          onChosen={(more) => {
            setIsSearching(false);
            setChoice((before) => ({ ...before, drafts: [...before.drafts, ...more] }));
          }}
        />
      )}
    </Modal>
  );
}
