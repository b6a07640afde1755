/**
 * The dialog that runs a playbook (spec 1 §2 'Run Playbook modal'): what it runs on, its parameters, then Run. Without
 * a server the run is prepared and waits in the outbox for somebody to confirm it.
 */
import { useState } from 'react';
import type { PlaybookResourceKind } from '../../../contract/http/playbooks/playbooks.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { controlOf } from '../../../domain/playbook/parameters.ts';
import type { ResourceName, RunAsked } from '../../../domain/playbook/run-asked.ts';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { Modal, type ModalSize } from '../../../ui/overlays/Modal.tsx';
import { definitionOf, definitionOfSpec, type Definition } from '../definition.ts';
import { playbookTitle } from '../playbook-title.ts';
import { messages } from './messages.ts';
import { Picker } from './Picker.tsx';
import classes from './start.module.css';
import { useParameters, type FoundParameters } from './use-parameters.ts';
import { RunForm } from './RunForm.tsx';

interface Known {
  id: string;
  title: string;
  description: string | null;
  updatedAt: string | null;
  definition: Definition;
}

/** The playbook as this device has it, else from the server; null when there is none, undefined until it is known. */
function usePlaybook(playbookId: string): Known | null | undefined {
  const row = useLiveRow('playbooks', playbookId)?.row;
  const local = row === undefined ? undefined : definitionOf(row);
  const isKept = local !== undefined && local.spec !== null;
  const { kept, error } = useTable(
    isKept ? null : { view: 'playbook', where: [{ op: 'eq', column: 'id', value: playbookId }], limit: 1 },
  );
  if (row !== undefined && local !== undefined && isKept) {
    const { description, updated_at: updatedAt } = row;
    return { id: row.id, title: playbookTitle(row), description, updatedAt, definition: local };
  }
  if (kept === null) return error === null ? undefined : null;
  const [found] = kept.value.rows;
  if (found === undefined) return null;
  return {
    id: found.id,
    title: playbookTitle(found),
    description: found.description ?? null,
    updatedAt: found.updated_at ?? null,
    definition: definitionOfSpec(found.spec),
  };
}

interface TargetProps {
  targets: Definition['targets'];
  value: ResourceName | null;
  onChange: (resource: ResourceName | null) => void;
}

/** Which thing it runs on: of the kinds that the playbook names. */
function Target({ targets, value, onChange }: TargetProps) {
  const [chosenKind, setKind] = useState<PlaybookResourceKind | null>(value?.kind ?? null);
  const target = targets.find(({ kind }) => kind === chosenKind) ?? targets[0];
  if (target === undefined) return null;
  const label = messages.resource[target.kind];
  return (
    <div className={classes.target}>
      {targets.length > 1 && (
        <Segmented
          label={messages.kind}
          value={target.kind}
          options={targets.map(({ kind }) => ({ value: kind, label: messages.resource[kind] }))}
          onChange={(kind) => {
            setKind(kind);
            onChange(null);
          }}
        />
      )}
      <span className={classes.caption} aria-hidden="true">
        {label}
      </span>
      <Picker
        label={label}
        chosen={value === null ? null : { id: value.id, text: value.name, spoken: value.name }}
        source={{ kind: 'resource', of: target.kind, selectors: target.selectors }}
        onChoose={(option) => onChange(option === null ? null : { kind: target.kind, ...option })}
      />
    </div>
  );
}

const SIZES: readonly ModalSize[] = ['very-small', 'small', 'medium', 'large', 'full'];

/** As large as the largest of its code editors asks for (contract §19.6). */
function sizeOf({ parameters }: Definition): ModalSize {
  const asked = parameters
    .filter((parameter) => controlOf(parameter).kind === 'code')
    .map(({ properties }) => SIZES.findIndex((size) => size === properties?.['size']));
  return SIZES[Math.max(...asked, 1)] ?? 'small';
}

interface LoadedProps {
  playbook: Known;
  asked: RunAsked;
  onClose: () => void;
}

/** As they were when they came first: a connection that is lost or comes back takes nothing that was typed. */
function useSteady(found: FoundParameters | null, subject: string): FoundParameters | null {
  const [first, setFirst] = useState<{ subject: string; found: FoundParameters } | null>(null);
  const isThere = found !== null && found.problem === null;
  if (isThere && first?.subject !== subject) setFirst({ subject, found });
  if (first === null || first.subject !== subject) return found;
  return isThere && found.isFilled === first.found.isFilled ? found : first.found;
}

function Parameters({ playbook, asked, resource, onClose }: LoadedProps & { resource: ResourceName | null }) {
  const { definition } = playbook;
  const found = useSteady(useParameters(playbook.id, definition, resource), resource?.id ?? '');
  if (found === null) return <p role="status">{messages.loadingParameters}</p>;
  if (found.problem !== null) {
    return (
      <p role="alert" className={classes.warn}>
        {found.problem}
      </p>
    );
  }
  return (
    <RunForm
      // Other parameters or another resource are another form.
      key={`${resource?.id ?? ''} ${found.isFilled} ${found.parameters.map(({ name }) => name).join()}`}
      playbook={{ ...playbook, isDangerous: definition.isDangerous }}
      resource={resource}
      asked={asked}
      found={found}
      onClose={onClose}
    />
  );
}

function Loaded({ playbook, asked, onClose }: LoadedProps) {
  const [resource, setResource] = useState<ResourceName | null>(asked.resource ?? null);
  const { targets } = playbook.definition;
  const needsResource = targets.length > 0;
  return (
    <div className={classes.body}>
      {(playbook.description ?? '') !== '' && <p className={classes.about}>{playbook.description}</p>}
      {needsResource && <Target targets={targets} value={resource} onChange={setResource} />}
      <h3 className={classes.section}>{messages.parameters}</h3>
      {needsResource && resource === null ? (
        <p className={classes.note}>{messages.selectResource}</p>
      ) : (
        <Parameters
          playbook={playbook}
          asked={asked}
          resource={needsResource ? resource : null}
          onClose={onClose}
        />
      )}
    </div>
  );
}

export interface RunModalProps {
  asked: RunAsked;
  onClose: () => void;
}

/** See the head of this file. */
export function RunModal({ asked, onClose }: RunModalProps) {
  const playbook = usePlaybook(asked.playbookId);
  const isReachable = useReachable();
  const isUnreadable = playbook !== null && playbook !== undefined && playbook.definition.spec === null;
  const size = playbook === null || playbook === undefined ? 'small' : sizeOf(playbook.definition);
  const title = messages.title(playbook?.title ?? '');
  return (
    <Modal title={title.trim()} size={size} onClose={onClose}>
      {playbook === undefined && <SkeletonRows text={messages.loading} />}
      {(playbook === null || isUnreadable) && (
        <StateNote title={messages.failed} role="alert">
          <p>{isUnreadable ? messages.unreadable : isReachable ? messages.gone : messages.notKept}</p>
        </StateNote>
      )}
      {playbook !== null && playbook !== undefined && !isUnreadable && (
        <Loaded playbook={playbook} asked={asked} onClose={onClose} />
      )}
    </Modal>
  );
}
