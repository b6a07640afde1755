import { useState } from 'react';
import type { RunDetail } from '../../../contract/http/playbooks/playbooks.ts';
import type { approveRun } from '../../../data/commands/commands.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages } from '../messages.ts';

export interface DecisionProps {
  run: RunDetail['run'];
  onClose: () => void;
}

interface Decision {
  call: typeof approveRun;
  runId: string;
  /** Once it is done. */
  said: string;
  onDone: () => void;
}

/** Does it once, and says what came of it. */
export function useCall({ call, runId, said, onDone }: Decision) {
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const act = async () => {
    setIsBusy(true);
    const answer = await call(runId);
    setIsBusy(false);
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(said);
    onDone();
  };
  return { isBusy, problem, act };
}
