/** A silence's form as what is sent, and back (contract §9, §19.7; schema §7.2). */
import { z } from 'zod';
import type { SilenceScope } from '../../../data/queries/notifications/use-silences.ts';
import type { HoursWindow, Weekday } from '../../../domain/incident/rule-hours.ts';
import { windowsOf } from '../../../domain/notification/recurrence.ts';
import { silenceProblems } from '../../../domain/notification/silence-problems.ts';
import type { SilenceFacts } from '../../../domain/notification/silence-row.ts';
import { evaluateDateMath } from '../../../domain/time/date-math.ts';
import { momentMs, momentText } from '../../../domain/time/time-range.ts';
import { messages } from './messages.ts';

const words = messages.form;

export const ABOUT = ['config', 'component', 'check', 'canary', 'none'] as const;
export type About = (typeof ABOUT)[number];
export type ThingKind = Exclude<About, 'none'>;

/** One of several things that a silence names. */
export interface NamedThing {
  kind: ThingKind;
  id: string;
}
/** From now on, or from when it begins (contract §19.3). */
export const LENGTHS = [
  '5m',
  '15m',
  '30m',
  '1h',
  '3h',
  '6h',
  '12h',
  '24h',
  '2d',
  '7d',
  '30d',
  '90d',
  '6M',
  '1y',
  '2y',
  '5y',
] as const;
export const CUSTOM = 'custom';

/** Hours as they are typed. */
export interface HoursDraft {
  start: string;
  end: string;
  days: Weekday[];
  tz: string;
  /** All but these hours: not made here, and kept as it is. */
  negate?: true;
}

const values = z.object({
  about: z.enum(ABOUT),
  thing: z.string(),
  /** What it names besides: the form makes none, and keeps those that are there. */
  others: z.array(z.custom<NamedThing>()),
  recursive: z.boolean(),
  selector: z.string(),
  filter: z.string(),
  /** As `datetime-local` writes it; empty for now. */
  from: z.string(),
  length: z.string(),
  until: z.string(),
  hours: z.array(z.custom<HoursDraft>()),
  description: z.string(),
  keep: z.boolean(),
});
export type SilenceValues = z.input<typeof values>;

const NEW: SilenceValues = {
  about: 'config',
  thing: '',
  others: [],
  recursive: false,
  selector: '',
  filter: '',
  from: '',
  length: '1h',
  until: '',
  hours: [],
  description: '',
  keep: false,
};

/** What a link asks the form to begin with. */
export function newValues(search: Readonly<Record<string, string | undefined>>): SilenceValues {
  const about = ABOUT.find((kind) => search[`${kind}_id`] !== undefined);
  return about === undefined ? NEW : { ...NEW, about, thing: search[`${about}_id`] ?? '' };
}

const fieldOf = (atMs: number) => momentText(atMs).replace(' ', 'T');

/** What a silence names; any of it is silent. */
export function thingsOf({ configId, componentId, checkId, canaryId }: SilenceFacts): NamedThing[] {
  const ids = { config: configId, component: componentId, check: checkId, canary: canaryId, none: null };
  return ABOUT.flatMap((kind) => {
    const id = ids[kind];
    return kind === 'none' || id === null ? [] : [{ kind, id }];
  });
}

/** Whether it names something that others are below. */
export const hasTop = ({ about, others }: Pick<SilenceValues, 'about' | 'others'>): boolean =>
  [about, ...others.map(({ kind }) => kind)].some((kind) => kind === 'config' || kind === 'component');

/** A silence that is there. */
export function silenceValues(silence: SilenceFacts): SilenceValues {
  const [first, ...others] = thingsOf(silence);
  return {
    about: first?.kind ?? 'none',
    thing: first?.id ?? '',
    others,
    recursive: silence.isRecursive,
    selector: silence.selector ?? '',
    filter: silence.filter ?? '',
    from: fieldOf(silence.fromMs),
    length: CUSTOM,
    until: fieldOf(silence.untilMs),
    hours: silence.recurrence.map(({ start, end, days = [], tz = 'UTC', negate }) => ({
      start,
      end,
      days: [...days],
      tz,
      ...(negate === true ? { negate } : {}),
    })),
    description: silence.description ?? '',
    keep: false,
  };
}

const orNone = (text: string): string | null => text.trim() || null;
const windowOf = ({ start, end, days, tz, negate }: HoursDraft): HoursWindow => ({
  start,
  end,
  ...(days.length === 0 ? {} : { days }),
  ...(tz.trim() === '' ? {} : { tz: tz.trim() }),
  ...(negate === true ? { negate } : {}),
});

const instantOf = (field: string): number | null => momentMs(field.replace('T', ' ').slice(0, 16));

/** When it begins and ends, ms; null for what is no time. */
export function timesOf(
  form: SilenceValues,
  nowMs: number,
): { fromMs: number | null; untilMs: number | null } {
  const fromMs = form.from === '' ? nowMs : instantOf(form.from);
  if (form.length === CUSTOM) return { fromMs, untilMs: instantOf(form.until) };
  return { fromMs, untilMs: fromMs === null ? null : evaluateDateMath(`now+${form.length}`, fromMs) };
}

const isoOf = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString());

/** The row's columns; times are instants. */
export function silenceColumns(form: SilenceValues, nowMs: number) {
  const { about, thing, others } = form;
  const idOf = (kind: ThingKind) =>
    about === kind ? orNone(thing) : (others.find((other) => other.kind === kind)?.id ?? null);
  const { fromMs, untilMs } = timesOf(form, nowMs);
  const hours = form.hours.map(windowOf);
  return {
    config_id: idOf('config'),
    component_id: idOf('component'),
    check_id: idOf('check'),
    canary_id: idOf('canary'),
    recursive: form.recursive && hasTop(form),
    selector: orNone(form.selector),
    filter: orNone(form.filter),
    recurrence: hours.length === 0 ? null : hours,
    description: orNone(form.description),
    from: isoOf(fromMs),
    until: isoOf(untilMs),
  };
}

/** What the preview is asked about; null while nothing is named, or it can't be read. */
export function scopeOf(form: SilenceValues, nowMs: number): SilenceScope | null {
  const columns = silenceColumns(form, nowMs);
  if (form.about !== 'none' && form.thing === '') return null;
  const { from: _from, until: _until, ...rest } = columns;
  if (silenceProblems(rest, true).length > 0) return null;
  return {
    configId: columns.config_id,
    componentId: columns.component_id,
    checkId: columns.check_id,
    canaryId: columns.canary_id,
    isRecursive: columns.recursive,
    selector: columns.selector,
    filter: columns.filter,
    recurrence: windowsOf(columns.recurrence).map(({ days, ...window }) => ({
      ...window,
      ...(days === undefined ? {} : { days: [...days] }),
    })),
  };
}

/** The schema of the form: what the server refuses is refused here (`silenceProblems`). */
export function silenceFormSchema(now: () => number) {
  return values.superRefine((form, context) => {
    const refuse = (path: keyof SilenceValues, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const nowMs = now();
    const { fromMs, untilMs } = timesOf(form, nowMs);
    const endField = form.length === CUSTOM ? 'until' : 'length';
    if (fromMs === null) refuse('from', words.noTime);
    else if (untilMs === null) refuse(endField, words.noTime);
    else if (untilMs <= fromMs) refuse(endField, words.order);
    else if (untilMs <= nowMs) refuse(endField, words.past);
    if (form.about !== 'none' && form.thing === '') refuse('thing', words.required);
    const { from: _from, until: _until, ...columns } = silenceColumns(form, nowMs);
    for (const { field, message } of silenceProblems(columns, true)) {
      const column = field.split('[')[0];
      if (column === 'config_id' && form.about === 'none') refuse('selector', words.more);
      if (column === 'selector' || column === 'filter') refuse(column, message);
      if (column === 'recurrence') refuse('hours', message);
    }
  });
}
