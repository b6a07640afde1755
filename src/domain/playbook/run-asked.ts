/** What a screen says when it offers to run a playbook; what becomes of it is the playbooks' own matter. */
export interface ResourceName {
  kind: 'config' | 'component' | 'check';
  id: string;
  name: string;
}

export interface RunAsked {
  playbookId: string;
  resource?: ResourceName | undefined;
  /** Of a run that is done again, or was prepared: defaults don't replace them. */
  params?: Readonly<Record<string, string>> | undefined;
  /** Of a run that is done again: the agent that it is counted for. */
  agentId?: string | undefined;
  /** The prepared run in the outbox that this is about. */
  preparedId?: string | undefined;
}
