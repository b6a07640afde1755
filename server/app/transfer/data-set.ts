/**
 * What belongs to a data set and what doesn't: the rules of `npm run import` and `npm run export`. A data set
 * carries the model, never what proves who somebody is, nor what one server remembers about its own devices.
 * A table that is new to the model is in by itself; one that holds a secret has to be named here.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

/** Sessions, forms in progress, codes, tokens, ledgers: worthless or dangerous on another server, never written. */
const NEVER = [
  /^schema_migrations$/,
  /^change_log/,
  /^command_/,
  // Work in flight: an event that fires weeks later on another server does harm.
  /^event_(?:queue|subscriptions)$/,
  /^identity_/,
  /^access_tokens$/,
  // Calls in flight to outside systems: another server must not make them once more.
  /^responder_(?:deliveries|messages|noted_events)$/,
  // Browsers know one server by its key; what waits for them is told by that server or not at all.
  /^push_(?:keys|subscriptions|messages|receipts)$/,
  // What is to be looked at now, and by whom.
  /^incident_(?:wakes|rounds)$/,
  // Who runs what now.
  /^leases$/,
  // When it ran last, and which file of this machine it came from.
  /^(?:scraper_runs|(?:scraper|topology|playbook|log_backend)_files|config_item_scrapes)$/,
  // Codes that screens show for minutes.
  /^wall_pairings$/,
  // Browsers know the server that made them a tablet, and hold sessions of its.
  /^shared_tablets$/,
  // What is still to be hidden is looked for anew.
  /^clear_password_runs$/,
  // Who wrote a specification there says nothing here.
  /^granted_specs$/,
];
/** Who can sign in, and with what, here and at outside systems: only with secrets. */
const SIGN_IN = [/^identities$/, /^identity_credentials$/, /^(?:team|spec)_secrets$/];

/** Columns that are written as null unless secrets are asked for. */
const SECRET_COLUMNS = lookupTable<readonly string[]>({
  // The address of a database or a webhook carries its password more often than not.
  connections: ['url', 'username', 'password', 'certificate', 'properties'],
  agents: ['tls'],
  playbook_action_agent_data: ['env'],
  playbook_run_states: ['secrets'],
});

/** Columns that every export writes as null and no import takes: who is connected to a server now, and how, says nothing at another one. */
const LOCAL_COLUMNS = lookupTable<readonly string[]>({
  agents: [
    'cluster_server',
    'cluster_seen',
    // Greater than that of each line before, in this database: a line at the next one would count as an older one.
    'cluster_token',
    'cluster_program',
    'program',
    'program_host',
    'program_since',
    'program_seen',
    'second_program',
    'second_program_host',
    'second_program_since',
    'second_program_seen',
  ],
});

/** Keys that mean nothing outside their database; rows of such tables are the same when the rest is. */
const LOCAL_KEYS = lookupTable<string>({ casbin_rule: 'id' });

const LOCAL_AGENT = '00000000-0000-0000-0000-000000000000';

export type Membership = 'always' | 'with-secrets' | 'never';

/** Whether a table is written to a data set. */
export function membershipOf(table: string): Membership {
  if (SIGN_IN.some((pattern) => pattern.test(table))) return 'with-secrets';
  return NEVER.some((pattern) => pattern.test(table)) ? 'never' : 'always';
}

/** The columns of a table that an export without secrets writes as null. */
export function secretColumnsOf(table: string): readonly string[] {
  return SECRET_COLUMNS[table] ?? [];
}

/** The columns of a table that no data set brings from one database to another. */
export function localColumnsOf(table: string): readonly string[] {
  return LOCAL_COLUMNS[table] ?? [];
}

/** The column of a table that numbers rows within one database only, if it has one. */
export function localKeyOf(table: string): string | null {
  return LOCAL_KEYS[table] ?? null;
}

/** A row that every database is born with: it is written over, not refused as known already. */
export function isBuiltIn(table: string, row: Readonly<Record<string, unknown>>): boolean {
  if (table === 'agents') return row['id'] === LOCAL_AGENT;
  return table === 'people' && row['name'] === 'System' && (row['email'] ?? null) === null;
}

/** A table without key that is born filled, and whose rows a data set brings as a whole. */
export function isReplacedWhole(table: string): boolean {
  return table === 'severities';
}

/** An import that was refused, or an export that can't begin; the message is the whole list for the operator. */
export class TransferRefused extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('invalid', message, options);
    this.name = 'TransferRefused';
  }
}
