/** How a thing is, as its own page says: a component with everything under it, a check by its last run. */
import { useCheck } from '../../data/queries/health/use-check.ts';
import { useComponent } from '../../data/queries/topology/use-component.ts';
import { useLiveRow } from '../../data/queries/use-live-row.ts';
import { healthOfWord, type HealthState } from '../../domain/check/health.ts';
import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { messages } from '../messages.ts';
import type { Judged } from '../../ui/page/ThingHealth.tsx';

/** A check with a warning is one of mixed results; anything else isn't. */
const WORDS = { ...ui.health, warning: messages.warning };

function Mark({ state, words = WORDS }: { state: HealthState; words?: Record<HealthState, string> }) {
  return (
    <span title={words[state]}>
      <HealthMark state={state} />
      <span className="visually-hidden">{words[state]}</span>
    </span>
  );
}

function OfComponent({ id }: { id: string }) {
  return <Mark state={useComponent(id).component?.state ?? 'unknown'} />;
}

function OfCheck({ id }: { id: string }) {
  return <Mark state={useCheck(id)?.health.state ?? 'unknown'} words={ui.health} />;
}

function OfItem({ id }: { id: string }) {
  return <Mark state={healthOfWord(useLiveRow('configs', id)?.row.health ?? null)} />;
}

/** See the head of this file. */
export function HealthOfThing({ kind, id }: Judged) {
  switch (kind) {
    case 'component':
      return <OfComponent id={id} />;
    case 'check':
      return <OfCheck id={id} />;
    case 'config':
      return <OfItem id={id} />;
  }
}
