import { runStatusHealth, runStatusText } from '../../domain/playbook/run.ts';
import { messages } from '../messages.ts';
import { HealthLabel } from './HealthMark.tsx';

/** The status of a playbook's run or of one of its steps, as a mark with its word. */
export function RunStatus({ status }: { status: string | null | undefined }) {
  if (status === null || status === undefined || status === '') return messages.nothing;
  return <HealthLabel state={runStatusHealth(status)} text={runStatusText(status)} />;
}
