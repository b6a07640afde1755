import { messages as ui } from '../../ui/messages.ts';

/** What a playbook is called. */
export function playbookTitle(
  playbook: { id: string; title?: unknown; name?: unknown } | null | undefined,
): string {
  const named = [playbook?.title, playbook?.name].find((text) => typeof text === 'string' && text !== '');
  return typeof named === 'string' ? named : (playbook?.id ?? ui.nothing);
}
