/**
 * What is wrong with a silence before it is stored: each with its field and what is due (schema §7.2). The form, the
 * command, the route and the data API ask the same.
 */
import { parseLabelSelector } from '../label-selector.ts';
import { windowProblem } from './recurrence.ts';
import { filterProblems, type FieldProblem } from './rule-problems.ts';
import { SILENCED } from './silenced-columns.ts';

type Row = Readonly<Record<string, unknown>>;

/** What says which things are silenced. */
const NAMING = [...SILENCED, 'selector', 'filter'] as const;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function hoursProblems({ recurrence }: Row): FieldProblem[] {
  if (recurrence === null || recurrence === undefined) return [];
  if (!Array.isArray(recurrence)) return [{ field: 'recurrence', message: 'must be a list of hours' }];
  return recurrence.flatMap((window: unknown, at) => {
    const message = windowProblem(window);
    return message === null ? [] : [{ field: `recurrence[${at}]`, message }];
  });
}

function selectorProblems({ selector }: Row): FieldProblem[] {
  if (!isText(selector)) return [];
  const parsed = parseLabelSelector(selector);
  if (parsed.ok) return [];
  return [{ field: 'selector', message: `${JSON.stringify(parsed.part)} is no requirement of labels` }];
}

function timeProblems({ from, until }: Row): FieldProblem[] {
  if (typeof from !== 'string' || typeof until !== 'string') return [];
  // What is no time is the database's to refuse.
  if (!(Date.parse(from) >= Date.parse(until))) return [];
  return [{ field: 'until', message: 'must be after from' }];
}

function namingProblems(row: Row, isNew: boolean): FieldProblem[] {
  const isWhole = isNew || NAMING.every((column) => Object.hasOwn(row, column));
  if (!isWhole || NAMING.some((column) => isText(row[column]))) return [];
  return [
    {
      field: 'config_id',
      message: `name what to silence by one of ${SILENCED.join(', ')}, or by selector or filter`,
    },
  ];
}

/** Of a silence, its times as instants; of a change, only what it carries. */
export function silenceProblems(row: Row, isNew = false): FieldProblem[] {
  return [
    ...namingProblems(row, isNew),
    ...selectorProblems(row),
    ...filterProblems(row),
    ...hoursProblems(row),
    ...timeProblems(row),
  ];
}
