/**
 * Stores what analyzers found (schema §5.3, Analysis). A finding is the same as before when item and analyzer are;
 * where an analyzer has several on one item, its type and summary tell them apart. What a complete run doesn't find
 * any more is resolved, what it finds again is open again; a person's silence is kept.
 */
import type { Database } from '../../../platform/db/database.ts';
import { inTurns } from '../../../platform/in-turns.ts';
import type { ScrapedAnalysis } from '../specs/scraped.ts';
import { labelOf } from './items/accept-items.ts';
import {
  findFindings,
  insertFindings,
  observeFindings,
  openFindings,
  resolveFindings,
} from './analyses-query.ts';
import type { FindingRow, StoredFinding } from './analyses-query.ts';
import { chunksOf } from '../../../../src/lib/chunks.ts';
import type { IdentifiedItem } from './items/identify-items.ts';
import { identityKey } from './items/item-identity.ts';
import type { RunItems } from './items/place-items.ts';
import { storageFault } from './run/storable-text.ts';
import { storeApart } from '../../../platform/db/store-apart.ts';
import type { Tally } from './run/tally.ts';
import { groupBy } from '../../../../src/lib/group-by.ts';

/** Items a batch. */
const BATCH = 200;
const CHUNK = 1000;
/** How far behind last_observed may be; under the hour from which an item counts as stale. */
const OBSERVED_STEP_MINUTES = 15;

export interface AnalysisDeps {
  db: Database;
  scraperId: string;
  kind: string;
  isComplete: boolean;
  now: Date;
  items: RunItems;
  tally: Tally;
  /** Items that the source still has although they could not be stored: their findings stay. */
  spared: ReadonlySet<string>;
}

function statusOf(told: string | null): string {
  const status = told?.toLowerCase() ?? 'open';
  return status === 'resolved' || status === 'silenced' ? status : 'open';
}

function rowOf(finding: ScrapedAnalysis, configId: string, { kind, now }: AnalysisDeps): FindingRow {
  return {
    id: null,
    config_id: configId,
    analyzer: finding.analyzer,
    analysis_type: finding.analysisType,
    severity: finding.severity?.toLowerCase() ?? null,
    summary: finding.summary,
    message: finding.message,
    status: statusOf(finding.status),
    source: finding.source ?? kind,
    analysis: finding.analysis ?? null,
    first_observed: (finding.firstObserved ?? now).toISOString(),
    last_observed: (finding.lastObserved ?? now).toISOString(),
  };
}

interface Reported {
  owner: IdentifiedItem | null;
  finding: ScrapedAnalysis;
}

/** Of what can't be stored, the item is added to `spared`. */
function resolve(
  { owner, finding }: Reported,
  deps: AnalysisDeps & { spared: Set<string> },
): FindingRow | null {
  const of = finding.about?.externalId ?? (owner === null ? 'no item' : labelOf(owner.item));
  const fault = finding.analyzer.trim() === '' ? 'its analyzer is empty' : storageFault(finding, 'finding');
  const configId =
    finding.about === null ? (owner?.id ?? null) : (deps.items.subjectOf(finding.about)?.id ?? null);
  if (fault !== null) {
    if (configId !== null) deps.spared.add(configId);
    deps.tally.error(`a finding about ${of} was left out: ${fault}`);
    return null;
  }
  if (configId !== null) return rowOf(finding, configId, deps);
  deps.tally.error(`finding "${finding.analyzer}" was left out: there is no item ${of}`);
  return null;
}

const sameness = (row: { analysis_type: string | null; summary: string | null }): string =>
  JSON.stringify([row.analysis_type, row.summary]);

function grouped<T extends { config_id: string; analyzer: string }>(rows: readonly T[]): Map<string, T[]> {
  return groupBy(rows, (row) => identityKey(row.config_id, row.analyzer));
}

/** Gives the found ones of one analyzer on one item the ids of those stored that they are. */
function match(found: readonly FindingRow[], stored: readonly StoredFinding[]): FindingRow[] {
  const distinct = [...new Map(found.map((row) => [sameness(row), row])).values()];
  const [only] = stored;
  if (distinct.length === 1 && stored.length === 1 && only !== undefined) {
    return distinct.map((row) => ({ ...row, id: only.id }));
  }
  const ids = new Map(stored.map((row) => [sameness(row), row.id]));
  return distinct.map((row) => ({ ...row, id: ids.get(sameness(row)) ?? null }));
}

/** Stores the rows of some items; answers the ids of the findings that were there before. */
async function storeBatch(rows: readonly FindingRow[], deps: AnalysisDeps): Promise<string[]> {
  const { db, scraperId } = deps;
  return db.transaction(async (tx) => {
    const stored = grouped(await findFindings(tx, scraperId, [...new Set(rows.map((row) => row.config_id))]));
    const matched = [...grouped(rows)].flatMap(([key, found]) => match(found, stored.get(key) ?? []));
    await insertFindings(
      tx,
      scraperId,
      matched.filter(({ id }) => id === null),
    );
    await observeFindings(
      tx,
      matched.filter(({ id }) => id !== null),
      OBSERVED_STEP_MINUTES,
    );
    return matched.flatMap(({ id }) => id ?? []);
  });
}

/** Stores the findings that came with the items of a run, and those that came alone. */
export async function storeAnalyses(
  stored: readonly IdentifiedItem[],
  loose: readonly ScrapedAnalysis[],
  deps: AnalysisDeps,
): Promise<void> {
  const { db, scraperId, items, isComplete, tally } = deps;
  const spared = new Set(deps.spared);
  const reported: Reported[] = [
    ...stored.flatMap((owner) => owner.item.analyses.map((finding) => ({ owner, finding }))),
    ...loose.map((finding) => ({ owner: null, finding })),
  ];
  await items.load(
    reported.flatMap(({ finding }) =>
      storageFault(finding.about, '') === null ? (finding.about ?? []) : [],
    ),
  );
  const before = isComplete ? await openFindings(db, scraperId) : [];
  const rows: FindingRow[] = [];
  for await (const one of inTurns(reported)) {
    const row = resolve(one, { ...deps, spared });
    if (row !== null) rows.push(row);
  }
  const byItem = groupBy(rows, (row) => row.config_id);
  const observed = new Set<string>();
  for (const batch of chunksOf([...byItem.values()], BATCH)) {
    await storeApart(
      batch,
      async (part) => {
        for (const id of await storeBatch(part.flat(), deps)) observed.add(id);
      },
      ([first], reason) => {
        const configId = first?.config_id ?? '';
        const item = items.byId.get(configId)?.item;
        spared.add(configId);
        tally.error(
          `findings about ${item === undefined ? configId : labelOf(item)} were left out: ${reason}`,
        );
      },
    );
  }
  const gone = before.filter(({ id, config_id }) => !observed.has(id) && !spared.has(config_id));
  for (const chunk of chunksOf(gone, CHUNK)) {
    await db.transaction((tx) =>
      resolveFindings(
        tx,
        chunk.map(({ id }) => id),
      ),
    );
  }
}
