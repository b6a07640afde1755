/**
 * Invents how config items hang together and what is wrong with them: a tree, eight below each, then soft links
 * among neighbours, so that what an item reaches stays bounded; and open or resolved findings. Pure.
 */
import type { Prng } from './seed-prng.ts';
import type { SeedRow } from './seed-row.ts';

export interface RelationsSize {
  relationships: number;
  insights: number;
  nowMs: number;
}

const BRANCHES = 8;
/** Soft links stay within blocks of this many items. */
const BLOCK = 64;
const STRIDE = 3;
const HOUR_MS = 3_600_000;

const SOFT = ['DependsOn', 'MountsVolume', 'RoutesTo'] as const;
interface FindingKind {
  analyzer: string;
  analysis_type: string;
  summary: string;
}

const FINDINGS: readonly [FindingKind, ...FindingKind[]] = [
  { analyzer: 'image-scan', analysis_type: 'security', summary: 'A package with a known vulnerability' },
  { analyzer: 'requests-limits', analysis_type: 'reliability', summary: 'No memory limit is set' },
  { analyzer: 'idle-instance', analysis_type: 'cost', summary: 'Less than 5 % of the processor is used' },
  { analyzer: 'backup-age', analysis_type: 'compliance', summary: 'The newest backup is older than a day' },
  { analyzer: 'probe-missing', analysis_type: 'availability', summary: 'No readiness probe is set' },
];
const LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;

function tree(configs: readonly SeedRow[], count: number): SeedRow[] {
  return configs.slice(1, count + 1).map((config, index) => ({
    config_id: configs[Math.floor(index / BRANCHES)]?.['id'],
    related_id: config['id'],
    relation: 'hard',
    selector_id: 'seed',
  }));
}

function softLinks(configs: readonly SeedRow[], count: number): SeedRow[] {
  const links: SeedRow[] = [];
  for (let distance = 1; distance < BLOCK && links.length < count; distance += STRIDE) {
    for (let index = 0; index + distance < configs.length && links.length < count; index += 1) {
      const isOneBlock = Math.floor(index / BLOCK) === Math.floor((index + distance) / BLOCK);
      if (!isOneBlock) continue;
      links.push({
        config_id: configs[index]?.['id'],
        related_id: configs[index + distance]?.['id'],
        relation: SOFT[distance % SOFT.length],
        selector_id: 'seed',
      });
    }
  }
  return links;
}

function finding(prng: Prng, configs: readonly SeedRow[], nowMs: number): SeedRow {
  const kind = prng.pick(FINDINGS);
  const firstMs = nowMs - prng.below(60 * 24) * HOUR_MS;
  return {
    id: prng.uuid(),
    config_id: configs[prng.below(configs.length)]?.['id'],
    ...kind,
    message: `${kind.summary}. Seen by ${kind.analyzer}.`,
    severity: prng.pick(LEVELS),
    status: prng.roll() < 0.8 ? 'open' : 'resolved',
    source: 'seed',
    first_observed: new Date(firstMs).toISOString(),
    last_observed: new Date(nowMs - prng.below(24) * HOUR_MS).toISOString(),
  };
}

/** Links (as many as the items allow) and findings of these items. */
export function createRelations(
  prng: Prng,
  { relationships, insights, nowMs }: RelationsSize,
  configs: readonly SeedRow[],
): { relationships: SeedRow[]; insights: SeedRow[] } {
  const hard = tree(configs, relationships);
  const found = configs.length === 0 ? 0 : insights;
  return {
    relationships: [...hard, ...softLinks(configs, relationships - hard.length)],
    insights: Array.from({ length: found }, () => finding(prng, configs, nowMs)),
  };
}
