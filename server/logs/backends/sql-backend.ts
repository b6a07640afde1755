/**
 * sql: one statement of the backend, in a transaction that can only read (SQL Server: that is rolled back). What a
 * question brings are parameters of it, never its text.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { SqlSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { timeOfValue } from '../../../src/domain/logs/line-time.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { queryMysql } from '../../catalog/scrapers/kinds/sql/mysql-query.ts';
import { queryPostgres } from '../../catalog/scrapers/kinds/sql/postgres-query.ts';
import { sqlTargetOf } from '../../catalog/scrapers/kinds/sql/sql-place.ts';
import type { SqlQuery, SqlStatement, SqlTarget } from '../../catalog/scrapers/kinds/sql/sql-target.ts';
import { querySqlServer } from '../../catalog/scrapers/kinds/sql/sql-server-query.ts';
import { givenMessage } from './log-backend.ts';
import type {
  BackendAnswer,
  BackendContext,
  BackendLine,
  LogBackendKind,
  LogQuestion,
} from './log-backend.ts';
import { fieldText } from '../../../src/domain/logs/field-text.ts';
import { jsonOrNull } from '../../../src/lib/json-or-null.ts';

const TIME_COLUMNS = ['timestamp', 'time', 'ts', 'created_at', 'at'];
const MESSAGE_COLUMNS = ['message', 'msg', 'line', 'log', 'text'];
const PLACEHOLDER = /\$\((labels\.[^()\s]+|[a-z]+)\)/g;

/** How a database wants it. */
interface Dialect {
  query: SqlQuery;
  placeholder: (number: number) => string;
  /** A moment in ISO, UTC. */
  moment: (iso: string) => string;
}

const asIs = (iso: string) => iso;

export const DIALECTS: Readonly<Record<SqlTarget['driver'], Dialect>> = {
  postgres: { query: queryPostgres, placeholder: (number) => `$${number}`, moment: asIs },
  mysql: {
    query: queryMysql,
    placeholder: () => '?',
    moment: (iso) => iso.replace('T', ' ').replace('Z', ''),
  },
  sqlserver: { query: querySqlServer, placeholder: (number) => `@p${number}`, moment: asIs },
};

/** What a placeholder stands for; throws for one that means nothing, or that the selector says nothing of. */
function valueOf(name: string, question: LogQuestion, { moment }: Dialect): string | number {
  switch (name) {
    case 'start':
      return moment(new Date(question.startMs).toISOString());
    case 'end':
      return moment(new Date(question.endMs).toISOString());
    case 'limit':
      return question.limit;
    case 'query':
      return question.words.join(' ');
    case 'id':
    case 'name':
    case 'type':
    case 'namespace':
      return question[name];
    default: {
      if (question.isTrial === true) return '';
      const value = name.startsWith('labels.') ? question.labels[name.slice('labels.'.length)] : undefined;
      if (value === undefined)
        throw new AppError(
          'invalid',
          `query: $(${name}) is asked for, and the log selector says nothing of it`,
        );
      return value;
    }
  }
}

/** The statement with the parameters in the database's own way. */
export function statementOf(
  query: string,
  question: LogQuestion,
  dialect: Dialect,
): SqlStatement & { held: string[] } {
  const values: SqlStatement['values'] = [];
  const held: string[] = [];
  const text = query
    .trim()
    .replace(/;\s*$/, '')
    .replaceAll(PLACEHOLDER, (_whole, name: string) => {
      values.push(valueOf(name, question, dialect));
      if (name.startsWith('labels.')) held.push(name.slice('labels.'.length));
      return dialect.placeholder(values.length);
    });
  return { text, values, held };
}

/** `labels` is a map of them; every other column is one. */
function labelsOf(row: Readonly<Record<string, unknown>>, without: readonly (string | undefined)[]) {
  const { labels, ...columns } = row;
  const map: unknown = typeof labels === 'string' && labels.startsWith('{') ? jsonOrNull(labels) : labels;
  const own = Object.entries(columns).filter(([name, value]) => !without.includes(name) && value !== null);
  const given = isRecord(map) ? Object.entries(map) : Object.entries(labels ? { labels } : {});
  return Object.fromEntries([...given, ...own].map(([name, value]) => [name, fieldText(value)]));
}

function lineOf(row: Readonly<Record<string, unknown>>): BackendLine {
  const time = TIME_COLUMNS.find((name) => Object.hasOwn(row, name));
  const message = MESSAGE_COLUMNS.find((name) => Object.hasOwn(row, name));
  const atMs = time === undefined ? null : timeOfValue(row[time]);
  if (atMs === null)
    throw new AppError('bad_payload', 'query: its rows have no column timestamp with the time of a line');
  if (message === undefined)
    throw new AppError('bad_payload', 'query: its rows have no column message with the text of a line');
  return {
    atMs,
    ...givenMessage(fieldText(row[message] ?? '')),
    labels: labelsOf(row, [time, message]),
  };
}

/** Of a statement that was cut, what is left out is older then. */
const isNewestFirst = (lines: readonly BackendLine[]): boolean =>
  lines.every(({ atMs }, at) => at === 0 || atMs <= (lines[at - 1]?.atMs ?? atMs));

const MISSES_NEWEST =
  'query: it has more rows than are read, and newer lines may be among those left out: end it with order by the time desc limit $(limit)';

async function read(spec: SqlSpec, question: LogQuestion, context: BackendContext): Promise<BackendAnswer> {
  const target = await sqlTargetOf(spec, context, ['postgres', 'mysql', 'sqlserver']);
  const dialect = DIALECTS[target.driver];
  const { held, ...statement } = statementOf(spec.query, question, dialect);
  const { rows, isCut } = await dialect.query(target, statement, context.signal);
  const { startMs, endMs, limit } = question;
  const inRange = rows.map(lineOf).filter(({ atMs }) => atMs >= startMs && atMs <= endMs);
  const lines = inRange.toSorted((a, b) => b.atMs - a.atMs).slice(0, limit);
  // A statement with a limit of its own answers no more than that, and there may be more.
  const isFull = inRange.length >= limit || isCut;
  const notes = isCut && !isNewestFirst(inRange) ? [MISSES_NEWEST] : [];
  return { lines, isCut: isFull, held, notes };
}

export const sqlBackend: LogBackendKind<SqlSpec> = { kind: 'sql', read };
