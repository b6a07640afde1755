/** What hangs on components by selectors (schema §6.2). Each job makes its links exactly what the selectors mean now. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { selector, type SpecSelector } from '../../../src/contract/specs/topology-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { Transactions } from '../../platform/db/database.ts';
import {
  componentNames,
  componentsWith,
  OURS,
  teamsWithSelectors,
  writeCheckLinks,
  writeComponentLinks,
  writeConfigLinks,
  writeCosts,
  writeInlineCanaries,
  writeTeamLinks,
  type InlineCanary,
  type Link,
} from './links-query.ts';
import { selectAll, type SelectableKind } from './selected-query.ts';

/** What a job did. */
export interface JobTally {
  /** Looked at. */
  count: number;
  changed: number;
  errors: string[];
}

const selectorList = z.array(selector);
const checkList = z.array(
  z.looseObject({ selector: selector.optional(), inline: z.looseObject({}).optional() }),
);

const idOf = (written: SpecSelector) =>
  OURS + createHash('md5').update(JSON.stringify(written)).digest('hex');

interface Selecting {
  id: string;
  selectors: readonly SpecSelector[];
}

async function linksOf(
  db: Transactions,
  kind: SelectableKind,
  all: readonly Selecting[],
): Promise<{ links: Link[]; errors: string[] }> {
  const selected = await selectAll(
    db,
    kind,
    all.flatMap(({ selectors }) => selectors),
  );
  const links = all.flatMap(({ id, selectors }) =>
    selectors.flatMap((one) =>
      selected
        .idsOf(one)
        .filter((other) => other !== id)
        .map((other): Link => ({ component_id: id, other_id: other, selector_id: idOf(one) })),
    ),
  );
  const keyOf = (link: Link) => `${link.component_id}${link.other_id}${link.selector_id}`;
  return { links: [...new Map(links.map((link) => [keyOf(link), link])).values()], errors: selected.errors };
}

const listIn = (list: unknown): SpecSelector[] => {
  const parsed = selectorList.safeParse(list);
  return parsed.success ? parsed.data : [];
};

/** Components under those that select them. */
export async function linkComponents(db: Transactions): Promise<JobTally> {
  const rows = await componentsWith(db, 'components');
  const all = rows.map(({ id, list }) => ({ id, selectors: listIn(list) }));
  const { links, errors } = await linksOf(db, 'components', all);
  const changed = await db.transaction((tx) => writeComponentLinks(tx, links));
  return { count: all.length, changed, errors };
}

/** Items of the catalog that components select. */
export async function linkConfigs(db: Transactions): Promise<JobTally> {
  const rows = await componentsWith(db, 'configs');
  const all = rows.map(({ id, list }) => ({ id, selectors: listIn(list) }));
  const { links, errors } = await linksOf(db, 'configs', all);
  const changed = await db.transaction((tx) => writeConfigLinks(tx, links));
  return { count: all.length, changed, errors };
}

function inlineOf(id: string, name: string, list: z.infer<typeof checkList>): InlineCanary[] {
  const specs = list.flatMap(({ inline }) => (isRecord(inline) ? [inline] : []));
  return specs.map((spec, at) => ({
    component_id: id,
    name: specs.length === 1 ? name : `${name}-${at + 1}`,
    spec,
  }));
}

const selectorOf = (check: { selector?: SpecSelector | undefined }): SpecSelector[] =>
  check.selector === undefined ? [] : [check.selector];

/** Checks that components select, and those that they bring along. */
export async function linkChecks(db: Transactions): Promise<JobTally> {
  const rows = await componentsWith(db, 'checks');
  const all = rows.map(({ id, list }) => ({ id, checks: checkList.safeParse(list).data ?? [] }));
  const { links, errors } = await linksOf(
    db,
    'checks',
    all.map(({ id, checks }) => ({ id, selectors: checks.flatMap(selectorOf) })),
  );
  const names = await componentNames(
    db,
    all.map(({ id }) => id),
  );
  const inline = all.flatMap(({ id, checks }) => inlineOf(id, names.get(id)?.name ?? id, checks));
  const changed = await db.transaction(async (tx) => {
    const isGranted = ({ component_id: id }: InlineCanary) => names.get(id)?.isGranted === true;
    const written = await writeInlineCanaries(tx, inline, isGranted);
    return written + (await writeCheckLinks(tx, links));
  });
  return { count: all.length, changed, errors };
}

/** Components that teams own by the selectors of their specification. */
export async function linkTeams(db: Transactions): Promise<JobTally> {
  const rows = await teamsWithSelectors(db);
  const all = rows.map(({ id, list }) => ({ id, selectors: listIn(list) }));
  const { links, errors } = await linksOf(db, 'components', all);
  const changed = await db.transaction((tx) => writeTeamLinks(tx, links));
  return { count: all.length, changed, errors };
}

/** What components cost, by the items that are linked to them. */
export async function sumCosts(db: Transactions): Promise<JobTally> {
  const changed = await db.transaction((tx) => writeCosts(tx));
  return { count: changed, changed, errors: [] };
}
