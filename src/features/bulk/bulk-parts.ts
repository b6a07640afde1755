/** What is chosen, as the commands that do something to it: one for each thing. */
import type { ThingChange } from '../../contract/commands/thing-commands.ts';
import type { BulkPart } from '../../data/commands/use-bulk.ts';
import type { BulkProps, ChosenThing } from '../../ui/page/Bulk.tsx';

export type Asked = ThingChange;

/** A document of checks may have more than one of those that were chosen. */
function byCanary(chosen: readonly ChosenThing[]): Map<string, ChosenThing[]> {
  const found = new Map<string, ChosenThing[]>();
  for (const one of chosen) {
    const id = one.canaryId ?? one.id;
    const others = found.get(id);
    if (others === undefined) found.set(id, [one]);
    else others.push(one);
  }
  return found;
}

/** How many documents the chosen checks are of. */
export function canaryCount(chosen: readonly ChosenThing[]): number {
  return byCanary(chosen).size;
}

/** Runs each now; documents of checks run by their checks. */
export function runParts(kind: BulkProps['kind'], chosen: readonly ChosenThing[]): BulkPart[] {
  if (kind === 'checks')
    return chosen.map(({ id, name }) => ({ name, request: { name: 'run_check', args: { checkId: id } } }));
  if (kind !== 'config_scrapers' && kind !== 'topologies') return [];
  return chosen.map(({ id, name }) => ({
    name,
    request: { name: 'run_thing', args: { table: kind, id } },
  }));
}

/** Checks of one document that the device shows changed at once. */
const MOST_SHOWN = 500;

/** Changes each thing; of checks the documents that they are in. */
export function changeParts(
  kind: BulkProps['kind'],
  chosen: readonly ChosenThing[],
  change: Asked,
): BulkPart[] {
  if (kind !== 'checks')
    return chosen.map(({ id, name }) => ({
      name,
      request: { name: 'change_thing', args: { table: kind, id, change } },
    }));
  return [...byCanary(chosen)].map(([id, checks]) => ({
    name: checks.map(({ name }) => name).join(', '),
    request: {
      name: 'change_thing',
      args: { table: 'canaries', id, change, shows: checks.slice(0, MOST_SHOWN).map((check) => check.id) },
    },
  }));
}
