import { parseCommand, type CommandRequest } from '../../commands/all-commands.ts';
import type { OutboxItem, OutboxState } from '../outbox.ts';

/** A command as the outbox has it, the `order`-th that was written. */
export function outboxItem(
  order: number,
  request: CommandRequest,
  state: OutboxState = { kind: 'kept' },
): OutboxItem {
  const { definition, args } = parseCommand(request);
  return {
    order,
    commandId: `command-${order}`,
    name: request.name,
    version: definition.version,
    args,
    basedOn: null,
    expiresAt: null,
    userId: 'me',
    atMs: order,
    touches: definition.touches(args),
    creates: definition.creates(args),
    failures: 0,
    state,
  };
}
