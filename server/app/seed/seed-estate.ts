/**
 * Invents an estate of any size: canaries, checks with an hour of results, config items, components. The same
 * seed and size give the same names, ids and states; times are counted back from `nowMs`. Pure.
 */
import { createPrng } from './seed-prng.ts';
import type { Prng } from './seed-prng.ts';
import type { SeedRow } from './seed-row.ts';
import {
  CONFIG_TYPES,
  ERRORS,
  KINDS,
  NAMESPACES,
  PARTS,
  REGIONS,
  SERVICES,
  SEVERITIES,
  TEAMS,
  TIERS,
} from './seed-words.ts';
import { addTo } from '../../../src/lib/group-by.ts';

export interface SeedSize {
  checks: number;
  /** Results of all checks together; five of each that ran when it isn't given. */
  statuses?: number;
  configs: number;
  components: number;
  /** Another seed, another estate. */
  seed: number;
  nowMs: number;
}

export interface Estate {
  agents: SeedRow[];
  canaries: SeedRow[];
  checks: SeedRow[];
  statuses: SeedRow[];
  configs: SeedRow[];
  components: SeedRow[];
  componentLinks: SeedRow[];
  configLinks: SeedRow[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NIL = '00000000-0000-0000-0000-000000000000';
const STATUSES_PER_CHECK = 5;
const CHECKS_PER_CANARY = 4;
const SOURCE = 'seed';
const UNHEALTHY_SHARE = 0.08;
const UNKNOWN_SHARE = 0.01;
const REMOTE_SHARE = 0.2;

const iso = (timeMs: number) => new Date(timeMs).toISOString();

function createAgents(prng: Prng): SeedRow[] {
  return ['edge-berlin', 'edge-oslo', 'factory-lyon'].map((name) => ({
    id: prng.uuid(),
    name,
    hostname: `${name}.example.net`,
  }));
}

function createCanary(prng: Prng, index: number, agents: readonly SeedRow[]): SeedRow {
  const service = prng.pick(SERVICES);
  const part = prng.pick(PARTS);
  const isRemote = prng.roll() < REMOTE_SHARE;
  return {
    id: prng.uuid(),
    name: `${service}-${part}-${index + 1}`,
    namespace: prng.pick(NAMESPACES),
    agent_id: isRemote ? agents[prng.below(agents.length)]?.['id'] : NIL,
    labels: {
      app: service,
      component: part,
      team: prng.pick(TEAMS),
      tier: prng.pick(TIERS),
      region: prng.pick(REGIONS),
    },
    spec: {},
    // No word of ours: what is invented is shown as it is, and no server takes it over to run it.
    source: SOURCE,
  };
}

/** A check as the document of its canary has it. */
function entryOf({ name, description, icon, severity, labels, spec }: SeedRow): SeedRow {
  const told = description === null ? {} : { description };
  return { name, ...told, icon, severity, labels, ...(spec as SeedRow) };
}

/** The canaries with the specification of their checks; never due: running them would only fail. */
function withSpecs(canaries: readonly SeedRow[], checks: readonly SeedRow[]): SeedRow[] {
  const specs = new Map(canaries.map(({ id }) => [id, new Map<string, SeedRow[]>()]));
  for (const check of checks) {
    const ofCanary = specs.get(check['canary_id']);
    const type = String(check['type']);
    if (ofCanary !== undefined) addTo(ofCanary, type, entryOf(check));
  }
  return canaries.map((canary) => ({
    ...canary,
    spec: { schedule: '@never', ...Object.fromEntries(specs.get(canary['id']) ?? []) },
  }));
}

function rollStatus(prng: Prng): string | null {
  const roll = prng.roll();
  if (roll < UNKNOWN_SHARE) return null;
  return roll < UNKNOWN_SHARE + UNHEALTHY_SHARE ? 'unhealthy' : 'healthy';
}

function createCheck(
  prng: Prng,
  canary: SeedRow,
  { ordinal, nowMs }: { ordinal: number; nowMs: number },
): SeedRow {
  const kind = prng.pick(KINDS);
  const status = rollStatus(prng);
  const lastRunMs = nowMs - prng.below(5 * MINUTE_MS);
  const createdMs = nowMs - DAY_MS - prng.below(300 * DAY_MS);
  const isTransitioned = status !== null;
  const transitionAgeMs = Math.floor(MINUTE_MS + prng.roll() ** 4 * 30 * DAY_MS);
  return {
    id: prng.uuid(),
    canary_id: canary['id'],
    agent_id: canary['agent_id'],
    type: kind.type,
    name: `${String(canary['name'])} ${prng.pick(kind.aspects)} ${ordinal + 1}`,
    namespace: canary['namespace'],
    icon: kind.icon,
    description: prng.roll() < 0.3 ? `Watches ${String(canary['name'])} from outside` : null,
    severity: prng.pick(SEVERITIES),
    owner: prng.pick(TEAMS),
    labels: { probe: kind.type, env: prng.roll() < 0.7 ? 'production' : 'staging' },
    spec: kind.spec(`${String(canary['name'])}.example.net`),
    status,
    last_runtime: status === null ? null : iso(lastRunMs),
    last_transition_time: isTransitioned ? iso(lastRunMs - transitionAgeMs) : null,
    // Far enough ahead that nothing reads as overdue.
    next_runtime: iso(nowMs + DAY_MS),
    created_at: iso(createdMs),
    updated_at: iso(lastRunMs),
  };
}

function createStatuses(
  prng: Prng,
  check: SeedRow,
  { count, nowMs }: { count: number; nowMs: number },
): SeedRow[] {
  const usualMs = 5 + prng.below(400);
  const newestMs = Date.parse(String(check['last_runtime']));
  return Array.from({ length: count }, (_, age) => {
    const isNewest = age === 0;
    const fails = isNewest
      ? check['status'] === 'unhealthy'
      : prng.roll() < (check['status'] === 'unhealthy' ? 0.6 : 0.03);
    return {
      check_id: check['id'],
      time: iso(
        age < STATUSES_PER_CHECK
          ? Math.max(nowMs - 59 * MINUTE_MS, newestMs - age * 10 * MINUTE_MS)
          : newestMs - age * 12 * MINUTE_MS,
      ),
      status: !fails,
      duration: fails ? usualMs * 5 : usualMs + prng.below(60),
      error: fails ? prng.pick(ERRORS) : null,
      message: null,
    };
  });
}

function createAllStatuses(
  prng: Prng,
  checks: readonly SeedRow[],
  { statuses, nowMs }: { statuses: number | undefined; nowMs: number },
): SeedRow[] {
  const ran = checks.filter((check) => check['status'] !== null);
  const total = statuses ?? ran.length * STATUSES_PER_CHECK;
  const [each, rest] = [Math.floor(total / ran.length), total % ran.length];
  return ran.flatMap((check, index) =>
    createStatuses(prng, check, { count: each + (index < rest ? 1 : 0), nowMs }),
  );
}

function createConfig(prng: Prng, index: number): SeedRow {
  const type = prng.pick(CONFIG_TYPES);
  const namespace = prng.pick(NAMESPACES);
  const health = prng.roll() < UNHEALTHY_SHARE ? 'unhealthy' : 'healthy';
  return {
    id: prng.uuid(),
    config_class: type.split('::').at(-1) ?? type,
    type,
    name: `${prng.pick(SERVICES)}-${prng.pick(PARTS)}-${index + 1}`,
    health,
    status: health === 'healthy' ? 'Running' : 'Failing',
    tags: { namespace, cluster: prng.pick(REGIONS) },
    labels: { team: prng.pick(TEAMS) },
  };
}

function createComponent(prng: Prng, index: number, parents: readonly SeedRow[]): SeedRow {
  // The first tenth are roots, the others hang below one of them.
  const parent = parents[index] === undefined ? parents[prng.below(parents.length)] : undefined;
  const name = `${prng.pick(SERVICES)} ${prng.pick(PARTS)} ${index + 1}`;
  const id = prng.uuid();
  return {
    id,
    external_id: name,
    name,
    type: 'Application',
    icon: 'component',
    status: prng.roll() < UNHEALTHY_SHARE ? 'unhealthy' : 'healthy',
    parent_id: parent?.['id'] ?? null,
    path: parent === undefined ? '' : parent['id'],
  };
}

function createComponents(prng: Prng, count: number): SeedRow[] {
  const components: SeedRow[] = [];
  const rootCount = Math.max(1, Math.ceil(count / 10));
  for (let index = 0; index < count; index += 1) {
    components.push(createComponent(prng, index, index < rootCount ? [] : components.slice(0, rootCount)));
  }
  return components;
}

interface LinkTo {
  targets: readonly SeedRow[];
  column: string;
}

/** About one check in three hangs on a component or config item. */
function link(prng: Prng, checks: readonly SeedRow[], { targets, column }: LinkTo): SeedRow[] {
  if (targets.length === 0) return [];
  return checks
    .filter(() => prng.roll() < 0.3)
    .map((check) => ({
      [column]: targets[prng.below(targets.length)]?.['id'],
      check_id: check['id'],
      canary_id: check['canary_id'],
      // Links without a selector would not be seen as the same when seeded again.
      selector_id: 'seed',
    }));
}

/** The estate of that size. */
export function createEstate({
  checks: count,
  statuses,
  configs,
  components,
  seed,
  nowMs,
}: SeedSize): Estate {
  const prng = createPrng(seed);
  const agents = createAgents(prng);
  const canaryCount = Math.ceil(count / CHECKS_PER_CANARY);
  const canaries = Array.from({ length: canaryCount }, (_, index) => createCanary(prng, index, agents));
  const checks = Array.from({ length: count }, (_, index) => {
    const canary = canaries[Math.floor(index / CHECKS_PER_CANARY)] ?? {};
    return createCheck(prng, canary, { ordinal: index % CHECKS_PER_CANARY, nowMs });
  });
  const madeStatuses = createAllStatuses(prng, checks, { statuses, nowMs });
  const madeConfigs = Array.from({ length: configs }, (_, index) => createConfig(prng, index));
  const madeComponents = createComponents(prng, components);
  return {
    agents,
    canaries: withSpecs(canaries, checks),
    checks,
    statuses: madeStatuses,
    configs: madeConfigs,
    components: madeComponents,
    componentLinks: link(prng, checks, { targets: madeComponents, column: 'component_id' }),
    configLinks: link(prng, checks, { targets: madeConfigs, column: 'config_id' }),
  };
}
