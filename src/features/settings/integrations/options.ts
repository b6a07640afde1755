/** What can be added, as the address names it (`?add=`). */
import { CHARTS, CHART_FACTS, type ChartKey } from '../../../domain/integration/charts.ts';
import { KUBERNETES_SCHEDULE } from '../../../domain/settings/schedule-presets.ts';
import { SCRAPER_EXAMPLES } from '../../../domain/settings/scraper-examples.ts';
import { newEntryText } from '../../../ui/document/DocumentForm.tsx';
import { messages } from './messages.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

export const DIRECT = ['topologies', 'config_scrapers', 'logging_backends'] as const;
export type DirectKind = (typeof DIRECT)[number];

export type Option =
  | { kind: 'choose' }
  | { kind: 'gitops'; chart: ChartKey }
  | { kind: 'scraper-kinds' }
  | { kind: 'direct'; table: DirectKind; title: string; spec?: string };

interface Tile {
  key: string;
  title: string;
  about: string;
}

export const CHOOSE = 'choose';
const GITOPS = 'gitops-';
const SCRAPER = 'scraper-';
const CUSTOM = 'custom';
const STARTS = lookupTable<string>({ kubernetes: `schedule: "${KUBERNETES_SCHEDULE}"\n` });

export const GITOPS_TILES: readonly Tile[] = CHARTS.map((chart) => ({
  key: `${GITOPS}${chart}`,
  ...CHART_FACTS[chart],
}));

/** Log backends are left out where logs are switched off. */
export function directTiles(hasLogs: boolean): Tile[] {
  return DIRECT.filter((table) => hasLogs || table !== 'logging_backends').map((table) => ({
    key: table,
    ...messages.direct[table],
  }));
}

export const SCRAPER_TILES: readonly Tile[] = [
  ...Object.entries(SCRAPER_EXAMPLES).map(([kind, { title }]) => ({
    key: `${SCRAPER}${kind}`,
    title,
    about: '',
  })),
  { key: `${SCRAPER}${CUSTOM}`, title: messages.customScraper, about: '' },
];

function scraper(kind: string): Option | null {
  if (kind === CUSTOM)
    return { kind: 'direct', table: 'config_scrapers', title: messages.customScraper, spec: '' };
  const facts = SCRAPER_EXAMPLES[kind];
  if (facts === undefined) return null;
  const entry = { key: kind, isSingle: false, fields: [], ...facts };
  return {
    kind: 'direct',
    table: 'config_scrapers',
    title: facts.title,
    spec: newEntryText(STARTS[kind] ?? '', entry, ''),
  };
}

/** What an address asks for; null for what there is not. */
export function optionOf(add: string, hasLogs: boolean): Option | null {
  if (add === CHOOSE) return { kind: 'choose' };
  if (add === 'config_scrapers') return { kind: 'scraper-kinds' };
  if (add.startsWith(SCRAPER)) return scraper(add.slice(SCRAPER.length));
  const chart = CHARTS.find((one) => add === `${GITOPS}${one}`);
  if (chart !== undefined) return { kind: 'gitops', chart };
  const table = DIRECT.find((one) => one === add);
  if (table === undefined || (table === 'logging_backends' && !hasLogs)) return null;
  return { kind: 'direct', table, title: messages.direct[table].title };
}
