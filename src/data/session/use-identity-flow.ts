/**
 * One identity flow for one page: opens it, submits it, and follows what the server says (spec 3 §8). The page
 * sees a form, a notice, or a failure; where to go is told to it once.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import {
  identityFlowSchema,
  readRefusal,
  type IdentityAnswer,
  type IdentityFlow,
} from '../../contract/http/identity/identity-flow.ts';
import { reactToRefusal, type FlowKind } from '../../domain/identity/flow-reaction.ts';
import { checkSession, callIdentity } from '../commands/commands.ts';

export interface FlowQuestion {
  kind: FlowKind;
  /** A flow that the server made already. */
  flowId: string | null;
  /** refresh, aal, return_to, as the flow understands them. */
  query: Readonly<Record<string, string>>;
  /** Where the visitor is, to come back to. */
  here: string;
}

export interface FlowState {
  /** null while there is none: loading, or failed. */
  flow: IdentityFlow | null;
  /** Why this form is a new one. */
  notice: string | null;
  error: ErrorFacts | null;
  isBusy: boolean;
}

export interface FlowHandle extends FlowState {
  submit: (values: Readonly<Record<string, unknown>>) => void;
  retry: () => void;
}

export interface FlowFollowers {
  /** Goes to an address that the server named. */
  onGo: (address: string) => void;
  /** The session began or was confirmed; `returnTo` is what the flow was asked to come back to. */
  onDone: (returnTo: string | null) => void;
}

const LOADING: FlowState = { flow: null, notice: null, error: null, isBusy: true };
const UNEXPECTED = 'An error occurred';

type Asked =
  | { do: 'open'; isWithoutReturnTo?: true }
  | { do: 'read'; flowId: string }
  | { do: 'submit'; values: object };

/** What the answer makes of the page; `next` is another question that follows from it. */
interface Step {
  state: FlowState;
  next: { asked: Asked; notice: string | null; refusal: ErrorFacts } | null;
  leave: (() => void) | null;
}

interface StepContext extends FlowFollowers {
  question: FlowQuestion;
  flow: IdentityFlow | null;
  notice: string | null;
}

function failed(message: string, status: number): ErrorFacts {
  return { code: status === 403 ? 'forbidden' : 'invalid', message, retryable: false, status };
}

function stepOf(answer: IdentityAnswer, context: StepContext): Step {
  const { question, notice, flow: before } = context;
  const parsed = identityFlowSchema.safeParse(answer.body);
  if (parsed.success) {
    const state: FlowState = { flow: parsed.data, notice, error: null, isBusy: false };
    return { state, next: null, leave: null };
  }
  if (answer.status < 300) {
    const returnTo = before?.return_to ?? null;
    return { state: { ...LOADING, flow: before }, next: null, leave: () => context.onDone(returnTo) };
  }
  const refusal = readRefusal(answer.body);
  const reaction = reactToRefusal(question.kind, { status: answer.status, ...refusal }, question.here);
  switch (reaction.do) {
    case 'go':
      return { state: { ...LOADING, flow: before }, next: null, leave: () => context.onGo(reaction.to) };
    case 'restart': {
      const { notice: why, flowId, isWithoutReturnTo } = reaction;
      const again: Asked = isWithoutReturnTo ? { do: 'open', isWithoutReturnTo } : { do: 'open' };
      const asked: Asked = flowId === null ? again : { do: 'read', flowId };
      const said = failed(refusal.text ?? UNEXPECTED, answer.status);
      return { state: LOADING, next: { asked, notice: why, refusal: said }, leave: null };
    }
    case 'fail': {
      const error = failed(refusal.text ?? UNEXPECTED, answer.status);
      return { state: { flow: before, notice: null, error, isBusy: false }, next: null, leave: null };
    }
  }
}

function send(question: FlowQuestion, asked: Asked, flow: IdentityFlow | null) {
  const { kind, query } = question;
  switch (asked.do) {
    case 'open': {
      const { return_to: returnTo, ...rest } = query;
      const isLeftOut = returnTo === undefined || asked.isWithoutReturnTo === true;
      return callIdentity({ do: 'open', kind, query: isLeftOut ? rest : { ...query } });
    }
    case 'read':
      return callIdentity({ do: 'read', kind, flowId: asked.flowId });
    case 'submit':
      return callIdentity({ do: 'submit', kind, flowId: flow?.id ?? '', body: { ...asked.values } });
  }
}

/**
 * How long to wait before each new form. More in a row means that the server and we don't understand each other:
 * then the page says what the server said, with a Retry.
 */
const RESTART_WAITS_MS = [0, 1000, 3000];

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Opens the flow when the page appears, and again when the question changes. */
export function useIdentityFlow(question: FlowQuestion, followers: FlowFollowers): FlowHandle {
  const [state, setState] = useState<FlowState>(LOADING);
  const run = useRef(0);
  const flow = useRef<IdentityFlow | null>(null);
  const latest = useRef({ question, followers });
  useEffect(() => {
    latest.current = { question, followers };
  });

  const ask = useCallback(async (first: Asked) => {
    run.current += 1;
    const mine = run.current;
    let next: Pick<NonNullable<Step['next']>, 'asked' | 'notice'> | null = { asked: first, notice: null };
    for (let round = 0; next !== null; round += 1) {
      const { asked, notice } = next;
      setState((before) => ({ ...before, isBusy: true, error: null }));
      // oxlint-disable-next-line no-await-in-loop -- a server that refuses is not asked at once again
      if (round > 0) await pause(RESTART_WAITS_MS[round - 1] ?? 0);
      if (mine !== run.current) return;
      const { question: current, followers: follow } = latest.current;
      // oxlint-disable-next-line no-await-in-loop -- each question follows from the answer before
      const answer = await send(current, asked, flow.current);
      if (mine !== run.current) return;
      if (!answer.ok) {
        const { error } = answer;
        setState({ flow: flow.current, notice, error, isBusy: false });
        return;
      }
      const step = stepOf(answer.value, { ...follow, question: current, flow: flow.current, notice });
      if (asked.do === 'submit' && (step.leave !== null || current.kind === 'settings')) {
        // oxlint-disable-next-line no-await-in-loop -- who is signed in is known before anyone goes anywhere
        await checkSession();
        if (mine !== run.current) return;
      }
      flow.current = step.state.flow;
      setState(step.state);
      step.leave?.();
      if (step.next !== null && round >= RESTART_WAITS_MS.length) {
        setState({ flow: null, notice: null, error: step.next.refusal, isBusy: false });
        return;
      }
      next = step.next;
    }
  }, []);

  const key = JSON.stringify([question.kind, question.flowId, question.query]);
  useEffect(() => {
    const { flowId } = latest.current.question;
    flow.current = null;
    void ask(flowId === null ? { do: 'open' } : { do: 'read', flowId });
    return () => {
      run.current += 1;
    };
  }, [ask, key]);

  const submit = useCallback((values: object) => void ask({ do: 'submit', values }), [ask]);
  const retry = useCallback(() => void ask({ do: 'open' }), [ask]);
  return { ...state, submit, retry };
}
