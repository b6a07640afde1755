/**
 * Adds evidence in steps (spec 3 §2): choose the type, find it in what this device has, look at it once more. It
 * works without a network: what is found is local, what is added are commands.
 */
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useOneAtATime } from '../../../ui/hooks/one-at-a-time.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useIncident } from '../incident-context.tsx';
import { addEvidenceRequest } from './draft-request.ts';
import { MAX_DESCRIPTION } from './EditEvidence.tsx';
import { messages as shared } from './messages.ts';
import { AttachedIds } from './wizard/attached-ids.tsx';
import { MAX_CHOSEN } from './wizard/candidate.ts';
import { LogLinesStep, LogTextStep, openText } from './wizard/LogSteps.tsx';
import { messages } from './wizard/messages.ts';
import { ReviewStep } from './wizard/ReviewStep.tsx';
import { SubjectStep } from './wizard/SubjectStep.tsx';
import { TypeStep } from './wizard/TypeStep.tsx';
import {
  draftsOf,
  EMPTY_WIZARD,
  hasContent,
  withChosen,
  withLog,
  type WizardState,
} from './wizard/wizard-state.ts';
import classes from './wizard/wizard.module.css';

interface AddEvidenceWizardProps {
  hypothesisId: string;
  onClose: () => void;
  /** What is added belongs to the definition of done. */
  isDone?: boolean;
  /** Given: nothing is added here, the drafts are handed over. */
  onChosen?: ((drafts: readonly EvidenceDraft[]) => void) | undefined;
}

interface StepProps {
  state: WizardState;
  problem: string | null;
  onState: (state: WizardState) => void;
  onProblem: (problem: string) => void;
}

function Step({ state, problem, onState, onProblem }: StepProps) {
  const { type, isReviewing, log, text } = state;
  if (type === null) {
    return (
      <div className={classes.scroll}>
        <TypeStep onChoose={(next) => onState({ ...EMPTY_WIZARD, type: next })} />
      </div>
    );
  }
  if (type === 'comment') {
    return (
      <div className={`${classes.stack} ${classes.prose}`}>
        <TextField
          isLong
          hasFocus
          label={messages.text}
          value={text}
          maxLength={MAX_DESCRIPTION}
          error={problem ?? undefined}
          onChange={(next) => onState({ ...state, text: next })}
        />
      </div>
    );
  }
  if (type === 'log') {
    if (isReviewing && log !== null) {
      return (
        <LogLinesStep
          log={log}
          selected={state.selected}
          description={state.logDescription}
          problem={problem}
          onDescription={(logDescription) => onState({ ...state, logDescription })}
          onSelected={(selected) => onState({ ...state, selected })}
        />
      );
    }
    return (
      <LogTextStep
        text={text}
        problem={problem ?? undefined}
        onText={(next) => onState({ ...state, text: next })}
        onOpened={(opened) => onState(withLog(state, opened))}
        onProblem={onProblem}
      />
    );
  }
  if (isReviewing) {
    return (
      <div className={classes.scroll}>
        <ReviewStep
          chosen={state.chosen}
          names={state.names}
          onChosen={(chosen) => onState(withChosen(state, chosen))}
        />
      </div>
    );
  }
  return (
    <SubjectStep
      type={type}
      chosen={state.chosen}
      onChosen={(chosen) => onState(withChosen(state, chosen))}
    />
  );
}

function titleOf({ type, isReviewing }: WizardState): string {
  if (type === null) return messages.steps.type;
  if (!isReviewing) return messages.steps[type];
  return type === 'log' ? messages.steps.lines : messages.steps.review;
}

/** Where this step stands, and how many there are of this type. */
function placeOf({ type, isReviewing }: WizardState): string {
  const of = type === 'comment' ? 2 : 3;
  if (type === null) return messages.step(1, of);
  return messages.step(isReviewing ? 3 : 2, of);
}

/** Adds what was chosen, one command each; true when all of it is safe on this device. */
function useAdd({ hypothesisId, isDone = false }: Pick<AddEvidenceWizardProps, 'hypothesisId' | 'isDone'>) {
  const { incidentId, send } = useIncident();
  const device = useDevice();
  const toasts = useToasts();
  // What was kept before something went wrong is not added twice.
  const kept = useRef(new Set<EvidenceDraft>());
  return async (drafts: readonly EvidenceDraft[]) => {
    for (const draft of drafts.filter((one) => !kept.current.has(one))) {
      const place = { id: device.newId(), incidentId, hypothesisId, isDone };
      if (!(await send(addEvidenceRequest(draft, place)))) return false;
      kept.current.add(draft);
    }
    toasts.success(messages.added(drafts.length));
    return true;
  };
}

interface FooterProps {
  state: WizardState;
  isBusy: boolean;
  isHandedOver: boolean;
  isLeaving: boolean;
  onState: (state: WizardState) => void;
  onNext: () => void;
  onLeave: (isLeaving: boolean) => void;
  onClose: () => void;
}

function Footer(props: FooterProps) {
  const { state, isBusy, isHandedOver, isLeaving, onState, onNext, onLeave, onClose } = props;
  if (isLeaving) {
    return (
      <div className={classes.foot} role="group" aria-label={messages.leave}>
        <span className={classes.footText}>{messages.leave}</span>
        <Button look="quiet" onClick={() => onLeave(false)}>
          {messages.keepOn}
        </Button>
        <Button onClick={onClose}>{messages.discard}</Button>
      </div>
    );
  }
  const { type, isReviewing, chosen } = state;
  if (type === null) {
    return (
      <div className={classes.foot}>
        <span className={classes.footText} />
        <Button look="quiet" onClick={onClose}>
          {messages.cancel}
        </Button>
      </div>
    );
  }
  const isLast = isReviewing || type === 'comment';
  const isSubject = type !== 'log' && type !== 'comment';
  const back = () => onState(isReviewing ? { ...state, isReviewing: false } : { ...state, type: null });
  return (
    <div className={classes.foot}>
      <span className={classes.footText} role="status">
        {isSubject && chosen.size > 0 && messages.chosen(chosen.size)}
        {isSubject && chosen.size >= MAX_CHOSEN && `. ${messages.full(MAX_CHOSEN)}`}
      </span>
      <Button look="quiet" onClick={back}>
        {messages.back}
      </Button>
      <Button look="primary" disabled={isBusy || (isSubject && chosen.size === 0)} onClick={onNext}>
        {isLast ? (isHandedOver ? messages.use : messages.add) : messages.next}
      </Button>
    </div>
  );
}

/** Why the present step can't be left forwards; null when it can. */
function problemOf(state: WizardState): string | null {
  if (draftsOf(state).length > 0) return null;
  if (state.type === 'comment') return messages.textEmpty;
  if (state.type === 'log') return state.isReviewing ? messages.log.none : messages.log.empty;
  return null;
}

/** With `onChosen` it hands the choice over and sends nothing. */
export function AddEvidenceWizard({
  hypothesisId,
  onClose,
  isDone = false,
  onChosen,
}: AddEvidenceWizardProps) {
  const { incidentId } = useIncident();
  const [state, setState] = useState(EMPTY_WIZARD);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const once = useOneAtATime();
  const add = useAdd({ hypothesisId, isDone });
  const { type, isReviewing } = state;
  useEffect(() => {
    // Each step begins at its first field; where there is none, at its heading.
    const step = root.current;
    (step?.querySelector<HTMLElement>('[data-autofocus]') ?? step?.querySelector<HTMLElement>('h2'))?.focus();
  }, [type, isReviewing]);
  const change = (next: WizardState) => {
    setProblem(null);
    setState(next);
  };
  const finish = async () => {
    const drafts = draftsOf(state);
    if (onChosen !== undefined) {
      onChosen(drafts);
      return;
    }
    setIsBusy(true);
    const isSafe = await add(drafts);
    setIsBusy(false);
    if (isSafe) onClose();
    else setProblem(shared.failures.edit);
  };
  const next = () => {
    if (type === 'log' && !isReviewing) {
      const log = openText(state.text);
      if (log === null) setProblem(messages.log.empty);
      else change(withLog(state, log));
      return;
    }
    const found = problemOf(state);
    if (found !== null) setProblem(found);
    else if (isReviewing || type === 'comment') void once(finish);
    else change({ ...state, isReviewing: true });
  };
  const leave = () => {
    if (hasContent(state) && !isLeaving) setIsLeaving(true);
    else onClose();
  };
  return (
    <Sheet label={messages.title} side="center" size="small" onClose={leave}>
      <div ref={root} className={classes.wizard} data-unsaved={hasContent(state) ? 'kept' : undefined}>
        <header className={classes.head}>
          <div>
            <h2 tabIndex={-1}>{titleOf(state)}</h2>
            <span className={classes.step}>{placeOf(state)}</span>
          </div>
          <IconButton label={ui.close} onClick={leave}>
            <IconX size={18} />
          </IconButton>
        </header>
        <div className={classes.body}>
          <AttachedIds incidentId={incidentId}>
            <Step state={state} problem={problem} onState={change} onProblem={setProblem} />
          </AttachedIds>
        </div>
        <Footer
          state={state}
          isBusy={isBusy}
          isHandedOver={onChosen !== undefined}
          isLeaving={isLeaving}
          onState={change}
          onNext={next}
          onLeave={setIsLeaving}
          onClose={onClose}
        />
      </div>
    </Sheet>
  );
}
