import type { OutboxItem } from '../../contract/outbox.ts';
import { isBulkVerb, type BulkVerb } from '../../domain/bulk/things.ts';
import { recordOf } from '../../lib/is-record.ts';

export interface PendingThing {
  verb: BulkVerb;
  state: 'kept' | 'sent';
}

/** What of the outbox is still to happen to things of that table, by their ids; of several for one thing, the last. */
export function pendingThings(
  items: readonly Pick<OutboxItem, 'name' | 'args' | 'state'>[],
  table: string,
): Map<string, PendingThing> {
  const found = new Map<string, PendingThing>();
  for (const { name, args, state } of items) {
    if (name !== 'change_thing' && name !== 'run_thing') continue;
    if (state.kind !== 'kept' && state.kind !== 'sent') continue;
    const asked = recordOf(args);
    const verb = name === 'run_thing' ? 'run' : recordOf(asked['change'])['do'];
    if (asked['table'] === table && typeof asked['id'] === 'string' && isBulkVerb(verb))
      found.set(asked['id'], { verb, state: state.kind });
  }
  return found;
}
