/** What Run does: starts it and goes to its page, or keeps it for later where there is no server. */
import type { PlaybookParameter } from '../../../contract/http/playbooks/playbooks.ts';
import { dropCommand, prepareRun, runPlaybook } from '../../../data/commands/commands.ts';
import { links } from '../../../domain/links.ts';
import type { ResourceName } from '../../../domain/playbook/run-asked.ts';
import { secretNames } from '../../../domain/playbook/secret-parameters.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import type { Refusal } from '../../../ui/form/FormShell.tsx';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';

export interface Starting {
  playbook: { id: string; title: string; updatedAt: string | null };
  resource: ResourceName | null;
  /** The same key again is the same run. */
  key: string;
  /** The agent that it is asked for. */
  agentId: string | undefined;
  /** The prepared run that this one replaces. */
  preparedId: string | null;
  onClose: () => void;
}

/** `confirm`: what was typed for a dangerous one. */
type Start = (params: Record<string, string>, confirm?: string) => Promise<Refusal | null>;

/** Starts it now; why not stays in the dialog and is told as a message (spec 1 §8). */
export function useStart({ playbook, resource, key, agentId, preparedId, onClose }: Starting): Start {
  const device = useDevice();
  const toasts = useToasts();
  return async (params, confirm) => {
    const target = resource === null ? null : { kind: resource.kind, id: resource.id };
    const answer = await runPlaybook({
      playbookId: playbook.id,
      resource: target,
      params,
      key,
      ...(agentId === undefined ? {} : { agentId }),
      ...(confirm === undefined ? {} : { confirm }),
    });
    if (!answer.ok) {
      const isUnknown = answer.error.code === 'timeout' || answer.error.code === 'network';
      const text = isUnknown ? messages.unknownOutcome : shared.errorText(answer.error);
      toasts.error(text);
      return { text, field: null };
    }
    // The run is there: what was prepared is done, and is shown nowhere any more.
    if (preparedId !== null) await dropCommand(preparedId);
    onClose();
    device.navigate(links.playbookRun(answer.value.run_id));
    return null;
  };
}

interface Preparing extends Starting {
  health: string | null;
  parameters: readonly PlaybookParameter[];
}

/** Keeps it in the outbox, without what was typed as a password: that is asked for again. */
export function usePrepare(preparing: Preparing): Start {
  const { playbook, resource, health, parameters, agentId, onClose } = preparing;
  const toasts = useToasts();
  return async (params) => {
    const secret = secretNames(parameters);
    const answer = await prepareRun({
      playbookId: playbook.id,
      playbook: playbook.title,
      playbookUpdatedAt: playbook.updatedAt,
      resource,
      health,
      params: Object.fromEntries(Object.entries(params).filter(([name]) => !secret.has(name))),
      ...(agentId === undefined ? {} : { agentId }),
    });
    if (!answer.ok) return { text: shared.errorText(answer.error), field: null };
    toasts.success(messages.prepared, { text: messages.openOutbox, href: links.outbox() });
    onClose();
    return null;
  };
}
