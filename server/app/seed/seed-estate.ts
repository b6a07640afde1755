/**
 * Invents an estate of any size: canaries, checks with an hour of results, config items, components. The same
 * seed and size give the same names, ids and states; times are counted back from `nowMs`. Pure.
 */
import { createDice } from './seed-dice.ts';
import type { Dice } from './seed-dice.ts';
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
const UNHEALTHY_SHARE = 0.08;
const UNKNOWN_SHARE = 0.01;
const REMOTE_SHARE = 0.2;

const iso = (timeMs: number) => new Date(timeMs).toISOString();

function createAgents(dice: Dice): SeedRow[] {
  return ['edge-berlin', 'edge-oslo', 'factory-lyon'].map((name) => ({
    id: dice.uuid(),
    name,
    hostname: `${name}.example.net`,
  }));
}

function createCanary(dice: Dice, index: number, agents: readonly SeedRow[]): SeedRow {
  const service = dice.pick(SERVICES);
  const part = dice.pick(PARTS);
  const isRemote = dice.roll() < REMOTE_SHARE;
  return {
    id: dice.uuid(),
    name: `${service}-${part}-${index + 1}`,
    namespace: dice.pick(NAMESPACES),
    agent_id: isRemote ? agents[dice.below(agents.length)]?.['id'] : NIL,
    labels: {
      app: service,
      component: part,
      team: dice.pick(TEAMS),
      tier: dice.pick(TIERS),
      region: dice.pick(REGIONS),
    },
    // Never due: these results are invented, running the checks would only fail.
    spec: { schedule: '@never' },
    source: 'UI',
  };
}

function rollStatus(dice: Dice): string | null {
  const roll = dice.roll();
  if (roll < UNKNOWN_SHARE) return null;
  return roll < UNKNOWN_SHARE + UNHEALTHY_SHARE ? 'unhealthy' : 'healthy';
}

function createCheck(
  dice: Dice,
  canary: SeedRow,
  { ordinal, nowMs }: { ordinal: number; nowMs: number },
): SeedRow {
  const kind = dice.pick(KINDS);
  const status = rollStatus(dice);
  const lastRunMs = nowMs - dice.below(5 * MINUTE_MS);
  const createdMs = nowMs - DAY_MS - dice.below(300 * DAY_MS);
  const isTransitioned = status !== null;
  const transitionAgeMs = Math.floor(MINUTE_MS + dice.roll() ** 4 * 30 * DAY_MS);
  return {
    id: dice.uuid(),
    canary_id: canary['id'],
    agent_id: canary['agent_id'],
    type: kind.type,
    name: `${String(canary['name'])} ${dice.pick(kind.aspects)} ${ordinal + 1}`,
    namespace: canary['namespace'],
    icon: kind.icon,
    description: dice.roll() < 0.3 ? `Watches ${String(canary['name'])} from outside` : null,
    severity: dice.pick(SEVERITIES),
    owner: dice.pick(TEAMS),
    labels: { probe: kind.type, env: dice.roll() < 0.7 ? 'production' : 'staging' },
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
  dice: Dice,
  check: SeedRow,
  { count, nowMs }: { count: number; nowMs: number },
): SeedRow[] {
  const usualMs = 5 + dice.below(400);
  const newestMs = Date.parse(String(check['last_runtime']));
  return Array.from({ length: count }, (_, age) => {
    const isNewest = age === 0;
    const fails = isNewest
      ? check['status'] === 'unhealthy'
      : dice.roll() < (check['status'] === 'unhealthy' ? 0.6 : 0.03);
    return {
      check_id: check['id'],
      time: iso(
        age < STATUSES_PER_CHECK
          ? Math.max(nowMs - 59 * MINUTE_MS, newestMs - age * 10 * MINUTE_MS)
          : newestMs - age * 12 * MINUTE_MS,
      ),
      status: !fails,
      duration: fails ? usualMs * 5 : usualMs + dice.below(60),
      error: fails ? dice.pick(ERRORS) : null,
      message: null,
    };
  });
}

function createAllStatuses(
  dice: Dice,
  checks: readonly SeedRow[],
  { statuses, nowMs }: { statuses: number | undefined; nowMs: number },
): SeedRow[] {
  const ran = checks.filter((check) => check['status'] !== null);
  const total = statuses ?? ran.length * STATUSES_PER_CHECK;
  const [each, rest] = [Math.floor(total / ran.length), total % ran.length];
  return ran.flatMap((check, index) =>
    createStatuses(dice, check, { count: each + (index < rest ? 1 : 0), nowMs }),
  );
}

function createConfig(dice: Dice, index: number): SeedRow {
  const type = dice.pick(CONFIG_TYPES);
  const namespace = dice.pick(NAMESPACES);
  const health = dice.roll() < UNHEALTHY_SHARE ? 'unhealthy' : 'healthy';
  return {
    id: dice.uuid(),
    config_class: type.split('::').at(-1) ?? type,
    type,
    name: `${dice.pick(SERVICES)}-${dice.pick(PARTS)}-${index + 1}`,
    health,
    status: health === 'healthy' ? 'Running' : 'Failing',
    tags: { namespace, cluster: dice.pick(REGIONS) },
    labels: { team: dice.pick(TEAMS) },
  };
}

function createComponent(dice: Dice, index: number, parents: readonly SeedRow[]): SeedRow {
  // The first tenth are roots, the others hang below one of them.
  const parent = parents[index] === undefined ? parents[dice.below(parents.length)] : undefined;
  const name = `${dice.pick(SERVICES)} ${dice.pick(PARTS)} ${index + 1}`;
  const id = dice.uuid();
  return {
    id,
    external_id: name,
    name,
    type: 'Application',
    icon: 'component',
    status: dice.roll() < UNHEALTHY_SHARE ? 'unhealthy' : 'healthy',
    parent_id: parent?.['id'] ?? null,
    path: parent === undefined ? '' : parent['id'],
  };
}

function createComponents(dice: Dice, count: number): SeedRow[] {
  const components: SeedRow[] = [];
  const rootCount = Math.max(1, Math.ceil(count / 10));
  for (let index = 0; index < count; index += 1) {
    components.push(createComponent(dice, index, index < rootCount ? [] : components.slice(0, rootCount)));
  }
  return components;
}

interface LinkTo {
  targets: readonly SeedRow[];
  column: string;
}

/** About one check in three hangs on a component or config item. */
function link(dice: Dice, checks: readonly SeedRow[], { targets, column }: LinkTo): SeedRow[] {
  if (targets.length === 0) return [];
  return checks
    .filter(() => dice.roll() < 0.3)
    .map((check) => ({
      [column]: targets[dice.below(targets.length)]?.['id'],
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
  const dice = createDice(seed);
  const agents = createAgents(dice);
  const canaryCount = Math.ceil(count / CHECKS_PER_CANARY);
  const canaries = Array.from({ length: canaryCount }, (_, index) => createCanary(dice, index, agents));
  const checks = Array.from({ length: count }, (_, index) => {
    const canary = canaries[Math.floor(index / CHECKS_PER_CANARY)] ?? {};
    return createCheck(dice, canary, { ordinal: index % CHECKS_PER_CANARY, nowMs });
  });
  const madeStatuses = createAllStatuses(dice, checks, { statuses, nowMs });
  const madeConfigs = Array.from({ length: configs }, (_, index) => createConfig(dice, index));
  const madeComponents = createComponents(dice, components);
  return {
    agents,
    canaries,
    checks,
    statuses: madeStatuses,
    configs: madeConfigs,
    components: madeComponents,
    componentLinks: link(dice, checks, { targets: madeComponents, column: 'component_id' }),
    configLinks: link(dice, checks, { targets: madeConfigs, column: 'config_id' }),
  };
}
