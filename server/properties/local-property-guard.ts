/**
 * Keeps writes of the data API off properties that are set outside the database (schema §3.6): they would be
 * stored and change nothing. Looks at what the write names, and at which rows its filters would touch.
 */
import { AppError } from '../../src/contract/errors.ts';
import { mayAct } from '../../src/domain/access/objects.ts';
import type { DataApi } from '../replication/data-api/data-api.ts';
import type { DataApiRequest } from '../replication/data-api/answer/engine.ts';
import { jsonOrNull } from '../../src/lib/json-or-null.ts';

const TABLE = 'properties';
/** Parts of a query that choose no rows. */
const NOT_FILTERS: ReadonlySet<string> = new Set([
  'select',
  'columns',
  'order',
  'limit',
  'offset',
  'on_conflict',
]);

interface GuardDeps {
  localProperties: ReadonlyMap<string, string>;
  dataApi: DataApi;
}

/** Names that the rows of a body carry. */
function namesInBody(body: string | undefined): string[] {
  const parsed = jsonOrNull(body);
  const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return rows.flatMap((row) =>
    typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string'
      ? [row.name]
      : [],
  );
}

/** Names that a filter `name=eq.…` or `name=in.(…)` asks for, there or not. */
function namesInFilter(filters: URLSearchParams): string[] {
  return filters.getAll('name').flatMap((value) => {
    if (value.startsWith('eq.')) return [value.slice('eq.'.length)];
    const list = /^in\.\((.*)\)$/s.exec(value)?.[1];
    return list === undefined ? [] : list.split(',').map((name) => name.replace(/^"(.*)"$/s, '$1'));
  });
}

async function namesOfRows(
  request: DataApiRequest,
  filters: URLSearchParams,
  deps: GuardDeps,
): Promise<string[]> {
  const local = [...deps.localProperties.keys()].map((name) => `"${name}"`).join(',');
  const search = new URLSearchParams([...filters, ['name', `in.(${local})`], ['select', 'name']]);
  const { subject } = request;
  const answer = await deps.dataApi.handle({
    method: 'GET',
    target: request.target,
    search: search.toString(),
    headers: {},
    roles: request.roles,
    ...(subject === undefined ? {} : { subject }),
  });
  // A query that can't be read is refused in the same words when it writes.
  return answer.status === 200 ? namesInBody(answer.body) : [];
}

/** Throws when a write is about a property that this server has set itself. */
export async function refuseLocalProperties(request: DataApiRequest, deps: GuardDeps): Promise<void> {
  const { target, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead || target.kind !== 'table' || target.name !== TABLE || deps.localProperties.size === 0) return;
  // Who may not write at all is told so by the data API.
  if (!mayAct(request.roles, 'database.system', 'update')) return;
  const filters = new URLSearchParams(request.search);
  for (const name of NOT_FILTERS) filters.delete(name);
  const named = [...namesInBody(request.body), ...(method === 'POST' ? [] : namesInFilter(filters))];
  const touched = method === 'POST' ? [] : await namesOfRows(request, filters, deps);
  const refused = [...named, ...touched].find((name) => deps.localProperties.has(name));
  if (refused === undefined) return;
  throw new AppError(
    'conflict',
    `The property ${refused} is set on the server, outside the database, and cannot be changed here: ` +
      'change it in PROPERTIES_FILE or in its PROPERTY_ variable',
  );
}
