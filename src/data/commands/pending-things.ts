import type { OutboxItem } from '../../contract/outbox/outbox.ts';
import {
  INTEGRATION_TABLES,
  isBulkVerb,
  type BulkKind,
  type BulkVerb,
} from '../../domain/bulk/bulk-verbs.ts';
import { recordOf } from '../../lib/is-record.ts';

export interface PendingThing {
  verb: BulkVerb;
  state: 'kept' | 'sent';
}

type Waiting = Pick<OutboxItem, 'name' | 'args' | 'state'>;
type About = { verb: unknown; ids: readonly unknown[] };
const INTEGRATIONS: ReadonlySet<unknown> = new Set(INTEGRATION_TABLES);
/** What an acknowledgement calls the rows of a list. */
const ACKNOWLEDGED: Readonly<Partial<Record<BulkKind, string>>> = {
  checks: 'check',
  incidents: 'incident',
  configs: 'config',
};

function changeOf(kind: BulkKind, args: Readonly<Record<string, unknown>>): About | null {
  const verb = recordOf(args['change'])['do'];
  // Checks change with the document that they are in.
  if (kind === 'checks') return args['table'] === 'canaries' ? { verb, ids: [args['shows']].flat() } : null;
  const isOfKind = kind === 'integrations' ? INTEGRATIONS.has(args['table']) : args['table'] === kind;
  return isOfKind ? { verb, ids: [args['id']] } : null;
}

/** What a command asks for rows of that list; null where it is about other things. */
function aboutOf(kind: BulkKind, { name, args: given }: Waiting): About | null {
  const args = recordOf(given);
  switch (name) {
    case 'change_thing':
      return changeOf(kind, args);
    case 'run_thing':
      return args['table'] === kind || (kind === 'integrations' && INTEGRATIONS.has(args['table']))
        ? { verb: 'run', ids: [args['id']] }
        : null;
    case 'run_check':
      return kind === 'checks' ? { verb: 'run', ids: [args['checkId']] } : null;
    case 'acknowledge':
      return args['kind'] === ACKNOWLEDGED[kind] ? { verb: 'acknowledge', ids: [args['resourceId']] } : null;
    default:
      return null;
  }
}

/** What of the outbox is still to happen to rows of that list, by their ids; of several for one row, the last. */
export function pendingThings(items: readonly Waiting[], kind: BulkKind): Map<string, PendingThing> {
  const found = new Map<string, PendingThing>();
  for (const item of items) {
    const { state } = item;
    if (state.kind !== 'kept' && state.kind !== 'sent') continue;
    const about = aboutOf(kind, item);
    if (about === null || !isBulkVerb(about.verb)) continue;
    for (const id of about.ids)
      if (typeof id === 'string') found.set(id, { verb: about.verb, state: state.kind });
  }
  return found;
}
