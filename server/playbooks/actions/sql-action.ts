/** sql: one statement at PostgreSQL, MySQL or SQL Server, with what was put in as its parameters (schema §7.4). */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import { secretValue } from '../../../src/contract/specs/spec-parts.ts';
import { urlParts } from '../../connections/database-address.ts';
import { sqlText } from '../templates/sql-text.ts';
import { urlText } from '../templates/url-text.ts';
import { registered } from './action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from './action-kind.ts';
import { sqlDriver } from './sql-clients.ts';
import type { SqlPlace } from './sql-clients.ts';

type SqlSpec = z.output<typeof PLAYBOOK_ACTIONS.sql>;

const authSchema = z.object({ username: secretValue.optional(), password: secretValue.optional() });

interface Rendered {
  driver: string;
  url: string;
  connection: string;
  username: string;
  password: string;
  query: string;
  parameters: string[];
  isHostChosen: boolean;
}

async function render(spec: SqlSpec, context: RenderContext): Promise<Rendered> {
  const { placeholder } = sqlDriver(spec.driver);
  const { username, password } = authSchema.parse(spec.auth ?? {});
  const connection = spec.connection ?? '';
  // Both fields take an address or a reference.
  const isReference =
    connection !== '' && (connection.startsWith('connection://') || !connection.includes('://'));
  const url = isReference ? '' : (spec.url ?? connection);
  return {
    driver: spec.driver,
    ...urlText(await context.pieces(url)),
    connection: isReference ? connection : '',
    username: await context.value(username),
    password: await context.value(password),
    ...sqlText(await context.pieces(spec.query.trim().replace(/;\s*$/, '')), placeholder),
  };
}

async function addressOf({ url, connection, username, password }: Rendered, context: ActionContext) {
  if (connection === '') {
    const filled = url
      .replaceAll('$(username)', encodeURIComponent(username))
      .replaceAll('$(password)', encodeURIComponent(password));
    return { url: filled, username, password, insecureTls: false };
  }
  const found = await context.connection(connection);
  if (found === null) throw new AppError('invalid', `sql.connection: ${connection} was not found`);
  return {
    url: found.url,
    username: username || found.username,
    password: password || found.password,
    insecureTls: found.isInsecureTls,
  };
}

async function placeOf(rendered: Rendered, context: ActionContext): Promise<SqlPlace> {
  const address = await addressOf(rendered, context);
  if (!URL.canParse(address.url) || new URL(address.url).hostname === '')
    throw new AppError('invalid', 'sql.url: is not a URL such as postgres://host:5432/database');
  const url = new URL(address.url);
  const parts = urlParts(url, sqlDriver(rendered.driver).port);
  const trust = rendered.isHostChosen ? 'user' : context.trust;
  const { host, addresses } = await context.guard.check(parts.host, parts.port, trust);
  return {
    ...parts,
    address: addresses[0].address,
    host,
    username: decodeURIComponent(url.username) || address.username,
    password: decodeURIComponent(url.password) || address.password,
    insecureTls: address.insecureTls,
    timeoutMs: context.timeoutMs,
  };
}

/** As many rows as fit. */
function kept(rows: readonly Record<string, unknown>[], maxBytes: number): Record<string, unknown>[] {
  let room = maxBytes;
  const found: Record<string, unknown>[] = [];
  for (const row of rows) {
    room -= JSON.stringify(row).length;
    if (room < 0) break;
    found.push(row);
  }
  return found;
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const { query, parameters, driver } = rendered;
  const place = await placeOf(rendered, context);
  const answer = await sqlDriver(driver).ask(place, { query, parameters }, context.signal);
  const { rows, count, isCut, isEnded } = answer;
  const more = isEnded ? ', and there are more: the statement was ended' : '';
  context.output('stdout', `${count} ${count === 1 ? 'row' : 'rows'}${more}\n`);
  const shown = kept(rows, context.maxOutputBytes);
  const result = { rows: shown, count };
  return { error: null, result: isCut || shown.length < rows.length ? { ...result, isCut: true } : result };
}

/** A statement. */
export const sqlAction = registered({ name: 'sql', schema: PLAYBOOK_ACTIONS.sql, render, run });
