/**
 * Schedules that forms offer (spec 2 §5); any other may be typed. Which set belongs to which form is ours to say
 * (docs/integrations.md): checks run often, a topology is built from what others read, all else has the whole reach.
 */
import type { ResourceKind } from './resource-kinds.ts';

/** The sets as the specification has them. */
export const SCHEDULE_PRESETS = {
  short: ['@every 30s', '@every 1m', '@every 5m', '@every 30m', '@hourly', '@every 2h', '@every 4h'],
  medium: ['@every 5m', '@every 30m', '@hourly', '@every 2h', '@every 4h', '@every 8h'],
  default: [
    '@every 30s',
    '@every 1m',
    '@every 5m',
    '@every 30m',
    '@hourly',
    '@every 6h',
    '@daily',
    '@weekly',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const SET_OF: Partial<Record<ResourceKind, keyof typeof SCHEDULE_PRESETS>> = {
  canaries: 'short',
  topologies: 'medium',
};

/** What a scraper of a cluster starts with, and is offered first. */
export const KUBERNETES_SCHEDULE = '@every 30m';

/** What the form of that kind offers; null for a chart's values. */
export function schedulesFor(kind: ResourceKind | null, spec: unknown): readonly string[] {
  const offered: readonly string[] =
    SCHEDULE_PRESETS[(kind === null ? undefined : SET_OF[kind]) ?? 'default'];
  const isCluster =
    kind === 'config_scrapers' && typeof spec === 'object' && spec !== null && 'kubernetes' in spec;
  if (!isCluster) return offered;
  return [KUBERNETES_SCHEDULE, ...offered.filter((schedule) => schedule !== KUBERNETES_SCHEDULE)];
}
