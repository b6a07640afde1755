import { useAgentNames } from '../../../data/queries/use-agent-names.ts';
import { runStatusHealth, runStatusText, type ShownStep } from '../../../domain/playbook/run.ts';
import { formatClock } from '../../../domain/time/format.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages } from '../messages.ts';
import { RunDuration } from '../runs/RunDuration.tsx';
import classes from './run.module.css';

const words = messages.detail;

interface StepListProps {
  steps: readonly ShownStep[];
  selectedId: string | null;
  onSelect: (id: string) => void;
}

/** What stands on a step's tooltip: until when it sleeps, or why it can't be chosen. */
function useHint(step: ShownStep): string | undefined {
  const device = useDevice();
  if (step.status === 'skipped') return words.skipped;
  if (step.status !== 'sleeping' || step.scheduledAt === null) return undefined;
  return words.sleeping(formatClock(Date.parse(step.scheduledAt), device.now()));
}

interface StepProps {
  step: ShownStep;
  /** The name of the agent that does it; null where the server does. */
  agent: string | null;
  isSelected: boolean;
  onSelect: () => void;
}

function Step({ step, agent, isSelected, onSelect }: StepProps) {
  const hint = useHint(step);
  const { startedAt, endedAt, status } = step;
  return (
    <li>
      <button
        type="button"
        className={classes.step}
        aria-current={isSelected ? 'step' : undefined}
        aria-disabled={!step.isSelectable}
        disabled={!step.isSelectable}
        title={hint}
        data-status={status}
        onClick={onSelect}
      >
        <HealthMark state={runStatusHealth(status)} />
        <span className={classes.stepName}>{step.name}</span>
        <span className={classes.stepFacts}>
          {status === 'sleeping' && hint !== undefined ? hint : runStatusText(status)}
          {startedAt !== null && status !== 'skipped' && (
            <>
              {' · '}
              <RunDuration run={{ status, start_time: startedAt, end_time: endedAt }} />
            </>
          )}
          {agent !== null && ` · ${words.onAgent(agent)}`}
        </span>
      </button>
    </li>
  );
}

/** The steps of a run in order; skipped ones can't be selected. */
export function StepList({ steps, selectedId, onSelect }: StepListProps) {
  const agentIds = new Set(steps.flatMap(({ agentId }) => agentId ?? []));
  const agents = useAgentNames([...agentIds]);
  return (
    <nav className={classes.steps} aria-label={words.steps}>
      <ol>
        {steps.map((step) => (
          <Step
            key={step.id}
            step={step}
            agent={step.agentId === null ? null : (agents.get(step.agentId) ?? null)}
            isSelected={step.id === selectedId}
            onSelect={() => onSelect(step.id)}
          />
        ))}
      </ol>
    </nav>
  );
}
