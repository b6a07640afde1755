/**
 * Health by `status.conditions`, by a table a kind: what each condition says when it is true, false or unknown, and
 * what its reasons say beyond that. Where two conditions say something, the higher order counts, then the later one.
 * Whatever the conditions are, a health and a text come out.
 */
import { humanWords, listOf, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  since: unknown;
}

/** `status.conditions` in the object's order; none where it has none. */
export function conditionsOf(object: Json): Condition[] {
  return listOf(objectAt(object, 'status')['conditions']).map((entry) => ({
    type: textOf(entry['type']),
    status: textOf(entry['status']),
    reason: textOf(entry['reason']).trim(),
    message: textOf(entry['message']),
    since: entry['lastTransitionTime'],
  }));
}

/** The first of that type; null for none. */
export function conditionOf(conditions: readonly Condition[], type: string): Condition | null {
  return conditions.find((condition) => condition.type === type) ?? null;
}

/** What a condition says. */
export interface Saying {
  order?: number;
  health?: Health['health'];
  /** The condition's reason, if none is given. */
  status?: string;
  ready?: boolean;
  /** Whether its message is the object's. */
  message?: boolean;
}

export interface ConditionRule extends Saying {
  /** Instead of the opposite of what it says when true. */
  onFalse?: Saying;
  onUnknown?: Saying;
  /** Beyond that, whatever its status. */
  reasons?: Readonly<Record<string, Saying>>;
}

export type ConditionTable = Readonly<Record<string, ConditionRule>>;

interface Verdict extends Health {
  order: number;
}

function said(verdict: Verdict, saying: Saying, condition: Condition): Verdict {
  const order = saying.order ?? 0;
  const counts = order >= verdict.order;
  const status = saying.status ?? condition.reason;
  const takesStatus = status !== '' && (verdict.status === '' || counts);
  const message = saying.message === true ? condition.message : '';
  const takesHealth = counts || verdict.health === 'unknown';
  return {
    health: takesHealth ? (saying.health ?? verdict.health) : verdict.health,
    status: takesStatus ? status : verdict.status,
    order: takesStatus ? order : verdict.order,
    ready: saying.ready ?? verdict.ready,
    message: message !== '' && (verdict.message === '' || counts) ? message : verdict.message,
  };
}

/** A condition that is good when true is bad when false, and its message then says why. */
function saidWhenFalse(verdict: Verdict, rule: ConditionRule, condition: Condition): Verdict {
  if (rule.onFalse !== undefined) return said(verdict, rule.onFalse, condition);
  const isBad = rule.health === 'healthy';
  const status = verdict.status === '' && (isBad || rule.ready === true) ? condition.reason : verdict.status;
  const message = (isBad || rule.message === true) && condition.message !== '' ? condition.message : '';
  return {
    ...verdict,
    status,
    health: isBad ? 'unhealthy' : verdict.health,
    message: message === '' ? verdict.message : message,
  };
}

function applied(verdict: Verdict, rule: ConditionRule, condition: Condition): Verdict {
  let next = verdict;
  if (condition.status === 'True') next = said(next, rule, condition);
  else if (condition.status === 'False') next = saidWhenFalse(next, rule, condition);
  else if (rule.onUnknown !== undefined) next = said(next, rule.onUnknown, condition);
  const reasons = rule.reasons ?? {};
  const byReason = Object.hasOwn(reasons, condition.reason) ? reasons[condition.reason] : undefined;
  return byReason === undefined ? next : said(next, byReason, condition);
}

const NOTHING: Verdict = { health: 'unknown', status: '', ready: false, message: '', order: 0 };

/** A text for conditions that have no reason, and for those that no table knows. */
function textFor(conditions: readonly Condition[], table: ConditionTable): string {
  const known = conditions.find(({ type }) => Object.hasOwn(table, type));
  const told = known ?? conditions.find(({ status }) => status === 'True') ?? conditions[0];
  if (told === undefined) return '';
  if (told.reason !== '') return told.reason;
  const type = humanWords(told.type);
  if (told.status === 'True') return type === '' ? 'Unknown' : type;
  return told.status === 'False' && type !== '' ? `Not ${type}` : 'Unknown';
}

/** What the table of a kind makes of an object's conditions. */
export function tableHealth(object: Json, table: ConditionTable): Health {
  const conditions = conditionsOf(object);
  let verdict = NOTHING;
  for (const condition of conditions) {
    const rule = Object.hasOwn(table, condition.type) ? table[condition.type] : undefined;
    if (rule !== undefined) verdict = applied(verdict, rule, condition);
  }
  const { order: _order, ...health } = verdict;
  return { ...health, status: health.status || textFor(conditions, table) };
}

/** Conditions that are bad news while they are true, whatever the kind. */
const BAD = /^(Stalled|Failed|Failure|Degraded|Invalid|InvalidSpec|ErrorOccurred|.*Error|.*Failed)$/;
/** Conditions that tell how a thing is, in the order they are asked where there is no `Ready`. */
const TELLING = [
  'Ready',
  'Healthy',
  'Available',
  'Established',
  'Synced',
  'Reconciled',
  'Released',
  'Installed',
  'Programmed',
  'Accepted',
  'Succeeded',
  'Complete',
  'Completed',
  'Active',
];
/** Reasons of a condition that is not true yet: the thing is on its way, which is no failure. */
const ON_ITS_WAY =
  /^(progressing|pending|initiali[sz]ing|creating|provisioning|installing|issuing|updating|upgrading|deleting|reconciling|waiting|.*inprogress|dependency.*not.*ready)/i;

/** Health of a kind without a table: bad news first, then `Ready` or what stands for it. */
export function plainConditionHealth(object: Json): Health {
  const conditions = conditionsOf(object);
  const bad = conditions.find(({ type, status }) => status === 'True' && BAD.test(type));
  if (bad !== undefined)
    return { health: 'unhealthy', status: bad.reason || bad.type, ready: true, message: bad.message };
  const telling = TELLING.map((type) => conditionOf(conditions, type)).find((entry) => entry !== null);
  if (telling == null)
    return { health: 'unknown', status: textFor(conditions, {}), ready: false, message: '' };
  const type = humanWords(telling.type);
  if (telling.status === 'True')
    return { health: 'healthy', status: telling.reason || type, ready: true, message: '' };
  const { message } = telling;
  if (telling.status !== 'False')
    return { health: 'unknown', status: telling.reason || 'Progressing', ready: false, message };
  if (ON_ITS_WAY.test(telling.reason))
    return { health: 'unknown', status: telling.reason, ready: false, message };
  return { health: 'unhealthy', status: telling.reason || `Not ${type}`, ready: true, message };
}
