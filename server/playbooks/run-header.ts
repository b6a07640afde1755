/** By this an action that calls a webhook here says which run it belongs to: a playbook in a circle is known at the first turn. */
export const RUN_HEADER = 'x-holdfast-run';

/** Under whatever name and path people reach this server. */
export const isPlaybookWebhook = (address: string): boolean => /\/playbook\/webhook\//.test(address);
