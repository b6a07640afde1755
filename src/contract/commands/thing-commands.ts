/** Commands on what is set up: checks, scrapers, topologies, rules, connections and the like, one thing each. */
import { z } from 'zod';
import { SUSPENDED } from '../../domain/bulk/suspended.ts';
import { THINGS, THING_TABLES, type ThingTable } from '../../domain/bulk/things.ts';
import type { CollectionName } from '../collections.ts';
import { defineCommand, type RowEdit } from './define-command.ts';
import { idOf } from './fields.ts';

/** Long enough for a tunnel, short enough that nothing runs when nobody expects it (law 9). */
const RUN_EXPIRES_MS = 2 * 60_000;
/** Checks of one canary that the device shows at once. */
const MOST_SHOWN = 500;
const MOST_LABELS = 50;

/** As Kubernetes takes them, since files and clusters share them. */
const labelName = z
  .string()
  .trim()
  .min(1, 'A label needs a name')
  .max(253)
  .regex(/^[A-Za-z0-9][\w./-]*$/, 'Letters, digits, ".", "_", "/" and "-" only');
const labelValue = z.string().trim().max(500);
export const namespaceSchema = z
  .string()
  .trim()
  .min(1, 'Please name a namespace')
  .max(253)
  .regex(/^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/, 'Letters, digits, ".", "_" and "-" only');

/** What one label change says: names with their values, and names that go. */
export const labelChangeSchema = z
  .object({
    set: z.record(z.string(), labelValue).default({}),
    remove: z.array(labelName).max(MOST_LABELS).default([]),
  })
  .refine(({ set, remove }) => Object.keys(set).length + remove.length > 0, 'Name a label')
  .superRefine(({ set }, context) => {
    for (const name of Object.keys(set)) {
      const message = labelName.safeParse(name).error?.issues[0]?.message;
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['set'], message });
    }
  })
  .refine(({ set }) => Object.keys(set).length <= MOST_LABELS, `At most ${MOST_LABELS} labels`);

const changeSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('pause') }),
  z.object({ do: z.literal('resume') }),
  z.object({ do: z.literal('end') }),
  z.object({ do: z.literal('delete') }),
  z.object({ do: z.literal('label'), labels: labelChangeSchema }),
  z.object({ do: z.literal('move'), namespace: namespaceSchema }),
]);
export type ThingChange = z.output<typeof changeSchema>;

/** What such a thing lacks and the change would need; null where it fits. */
function misfit(table: ThingTable, change: ThingChange): string | null {
  const { pause, hasLabels, hasNamespace, ends, noun } = THINGS[table];
  const fits = {
    pause: pause !== null,
    resume: pause !== null,
    end: ends,
    label: hasLabels,
    move: hasNamespace,
    delete: true,
  }[change.do];
  return fits ? null : `${noun[1]} cannot be changed like this (${change.do})`;
}

/** Where a device has rows of such a thing. */
const COLLECTION: Partial<Record<ThingTable, CollectionName>> = {
  canaries: 'canaries',
  connections: 'connections',
  playbooks: 'playbooks',
  notification_silences: 'resources',
};

function checkEdit(id: string, change: ThingChange): RowEdit[] {
  switch (change.do) {
    case 'delete':
      return [{ kind: 'remove', collection: 'checks', id }];
    case 'pause':
      return [
        { kind: 'set', collection: 'checks', id, fields: { not_run_reason: SUSPENDED.reason, status: null } },
      ];
    case 'resume':
      return [{ kind: 'set', collection: 'checks', id, fields: { not_run_reason: null } }];
    case 'move':
      return [{ kind: 'set', collection: 'checks', id, fields: { namespace: change.namespace } }];
    case 'label':
    case 'end':
      // Labels of a check are made of more than its canary's.
      return [];
  }
}

function ownEdit(
  table: ThingTable,
  { id, change }: { id: string; change: ThingChange },
  at: string,
): RowEdit[] {
  const collection = COLLECTION[table];
  if (collection === undefined) return [];
  if (change.do === 'delete') return [{ kind: 'remove', collection, id }];
  if (change.do === 'move') return [{ kind: 'set', collection, id, fields: { namespace: change.namespace } }];
  if (change.do === 'end') return [{ kind: 'set', collection, id, fields: { until: at } }];
  return [];
}

/**
 * Changes one thing that is set up. `shows`: checks of that canary, which a device shows changed at once; the server
 * looks at the canary alone. Which of them somebody may change is asked of the table's area, row by row.
 */
export const changeThing = defineCommand({
  name: 'change_thing',
  version: 1,
  args: z
    .object({
      table: z.enum(THING_TABLES),
      id: idOf('thing'),
      change: changeSchema,
      shows: z.array(z.guid()).max(MOST_SHOWN).default([]),
    })
    .superRefine(({ table, change }, context) => {
      const message = misfit(table, change);
      if (message !== null) context.addIssue({ code: 'custom', path: ['change'], message });
    }),
  area: null,
  expiresAfterMs: null,
  touches: ({ id, shows }) => [...shows, id],
  creates: () => [],
  precondition: () => null,
  effect: ({ table, id, change, shows }, { at }) => [
    ...shows.flatMap((check) => checkEdit(check, change)),
    ...ownEdit(table, { id, change }, at),
  ],
});

/** Runs a scraper or builds a topology now. Its effect is outside, so it never fires late. */
export const runThing = defineCommand({
  name: 'run_thing',
  version: 1,
  args: z.object({ table: z.enum(['config_scrapers', 'topologies']), id: idOf('thing') }),
  area: null,
  expiresAfterMs: RUN_EXPIRES_MS,
  touches: ({ id }) => [id],
  creates: () => [],
  precondition: () => null,
  effect: () => [],
});
