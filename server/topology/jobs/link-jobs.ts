/** What hangs on components by selectors (schema §6.2). Each job makes its links exactly what the selectors mean now. */
import { z } from 'zod';
import { selector, type SpecSelector } from '../../../src/contract/specs/topology-spec.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { Transactions } from '../../platform/db/database.ts';
import {
  componentNames,
  componentsWith,
  teamsWithSelectors,
  writeCheckConfigLinks,
  writeCheckLinks,
  writeComponentLinks,
  writeConfigLinks,
  writeCosts,
  writeInlineCanaries,
  writeTeamLinks,
  type InlineCanary,
  type Link,
} from './links-query.ts';
import { collectLinks, type Selecting } from './collect-links.ts';
import { relatingChecks } from './check-relationships.ts';
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
  const { links, errors } = collectLinks(all, selected.idsOf);
  return { links, errors: [...selected.errors, ...errors] };
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

/** What checks say that they belong to, as links of components to checks, and of checks to items. */
async function ownLinksOfChecks(db: Transactions, expressions: Expressions) {
  const { checks, errors } = await relatingChecks(db, expressions);
  const ofKind = (kind: 'components' | 'configs') =>
    linksOf(
      db,
      kind,
      checks.map((check) => ({ id: check.id, selectors: check[kind] })),
    );
  const components = await ofKind('components');
  const configs = await ofKind('configs');
  return {
    components: components.links.map(
      ({ component_id: check, other_id: component, selector_id: selectorId }) => ({
        component_id: component,
        other_id: check,
        selector_id: selectorId,
      }),
    ),
    configs: configs.links,
    errors: [...errors, ...components.errors, ...configs.errors],
  };
}

/** Checks that components select, those that they bring along, and those that say themselves where they belong. */
export async function linkChecks(db: Transactions, expressions: Expressions): Promise<JobTally> {
  const rows = await componentsWith(db, 'checks');
  const all = rows.map(({ id, list }) => ({ id, checks: checkList.safeParse(list).data ?? [] }));
  const { links, errors } = await linksOf(
    db,
    'checks',
    all.map(({ id, checks }) => ({ id, selectors: checks.flatMap(selectorOf) })),
  );
  const own = await ownLinksOfChecks(db, expressions);
  const names = await componentNames(
    db,
    all.map(({ id }) => id),
  );
  const inline = all.flatMap(({ id, checks }) => inlineOf(id, names.get(id)?.name ?? id, checks));
  const changed = await db.transaction(async (tx) => {
    const isGranted = ({ component_id: id }: InlineCanary) => names.get(id)?.isGranted === true;
    const written = await writeInlineCanaries(tx, inline, isGranted);
    const linked = await writeCheckLinks(tx, [...links, ...own.components]);
    return written + linked + (await writeCheckConfigLinks(tx, own.configs));
  });
  return { count: all.length, changed, errors: [...errors, ...own.errors] };
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
