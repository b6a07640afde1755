/** The wizard of spec 3 §4: who, through which system, with which details. Back goes one step back. */
import { useState } from 'react';
import { useDevice } from '../../../ui/Device.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { useIncident } from '../incident-context.tsx';
import { DetailsStep } from './DetailsStep.tsx';
import { messages as words } from './messages.ts';
import { PersonStep } from './PersonStep.tsx';
import { TypeStep } from './TypeStep.tsx';
import type { ResourceRow } from './use-resources.ts';
import { useTell } from './use-tell.ts';
import { WhoStep } from './WhoStep.tsx';

/** A responder as the command takes it. */
type NewResponder =
  | { type: 'person'; personId: string; properties: Record<string, string> }
  | { type: 'system'; teamId: string; properties: Record<string, string> };

type Step =
  | { kind: 'who' }
  | { kind: 'person'; person: ResourceRow }
  | { kind: 'type'; team: ResourceRow }
  | { kind: 'details'; team: ResourceRow; type: string };

const TITLES: Record<Step['kind'], string> = {
  who: words.selectResponder,
  person: words.selectResponder,
  type: words.responderType,
  details: words.details,
};

interface AddResponderProps {
  /** Who responds already. */
  present: ReadonlySet<string>;
  onClose: () => void;
}

/** `present` are those who respond already: they are not offered. */
export function AddResponder({ present, onClose }: AddResponderProps) {
  const { incidentId } = useIncident();
  const device = useDevice();
  const tell = useTell();
  const [step, setStep] = useState<Step>({ kind: 'who' });
  const add = (responder: NewResponder) => {
    // Shown at once; a failure is told, and there is nothing left to do here (spec 3 §8).
    onClose();
    void tell(
      { name: 'add_responder', args: { id: device.newId(), incidentId, ...responder } },
      { done: words.added, kept: words.kept },
    );
  };
  const toWho = () => setStep({ kind: 'who' });
  return (
    <Sheet label={TITLES[step.kind]} side="center" hasTitle onClose={onClose}>
      {step.kind === 'who' && (
        <WhoStep
          present={present}
          onTeam={(team) => setStep({ kind: 'type', team })}
          onPerson={(person) => setStep({ kind: 'person', person })}
        />
      )}
      {step.kind === 'person' && (
        <PersonStep
          person={step.person}
          onBack={toWho}
          onAdd={() =>
            add({
              type: 'person',
              personId: step.person.id,
              properties: { responderType: 'person', person: step.person.id },
            })
          }
        />
      )}
      {step.kind === 'type' && (
        <TypeStep
          team={step.team}
          onBack={toWho}
          onType={(type) => setStep({ kind: 'details', team: step.team, type })}
        />
      )}
      {step.kind === 'details' && (
        <DetailsStep
          team={step.team}
          type={step.type}
          onBack={() => setStep({ kind: 'type', team: step.team })}
          onSave={(properties) => add({ type: 'system', teamId: step.team.id, properties })}
        />
      )}
    </Sheet>
  );
}
