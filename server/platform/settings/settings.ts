/**
 * Everything the operator can set, read once at start from the environment and the command line (design §7).
 * A wrong setting is refused with one line that names the variable, the value and what is allowed; nothing is
 * guessed and nothing falls back silently.
 */
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { LOG_LEVELS } from '../logger.ts';
import type { LogLevel } from '../logger.ts';
import { isEgressRule } from '../egress/egress-rules.ts';
import {
  HOSTED_VARIABLES,
  hostedSettings,
  HostedSettingsError,
  type HostedSettings,
} from './hosted-settings.ts';
import { OUTSIDE_VARIABLES } from './outside-settings.ts';
import { UPSTREAM_VARIABLES, upstreamSettings, type UpstreamSettings } from './upstream-settings.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

export interface Settings {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** null = PostgreSQL in `dataDir`, PGlite where that doesn't run; 'embedded' or 'pglite' = that one; else a URL. */
  databaseUrl: string | null;
  adminEmail: string;
  /** null = make one and print it once. */
  adminPassword: string | null;
  canariesDir: string | null;
  scrapersDir: string | null;
  topologiesDir: string | null;
  playbooksDir: string | null;
  /** Log backends read files below it; null = they read none. */
  logsDir: string | null;
  logBackendsDir: string | null;
  /** Serve only the app and proxy /api there. */
  backendUrl: string | null;
  isChecksOnly: boolean;
  isExecAllowed: boolean;
  egressAllow: string[];
  egressDeny: string[];
  /** `host:port` of places that answer while this server has an uplink; empty for none. */
  uplinkProbes: string[];
  /** Folder of the charts that integrations are made of; null = none is asked. */
  chartsUrl: string | null;
  /** Where the other servers of its database reach this one; null = they do not. */
  advertiseUrl: string | null;
  logLevel: LogLevel;
  isDemo: boolean;
  /** `/login?username&password` is submitted by itself. */
  isAuthDemo: boolean;
  registration: 'open' | 'invitation' | 'closed';
  /** Where people reach us, without a slash at the end; null = the address that the server listens on. */
  publicUrl: string | null;
  /** null = mails are written to files. */
  smtpUrl: string | null;
  smtpFrom: string;
  /** null = the built-in sign-in. */
  hosted: HostedSettings | null;
  /** Whose agent this server is; null = nobody's. */
  upstream: UpstreamSettings | null;
  /** Whose X-Forwarded-… headers are believed: addresses, networks, and words for them. */
  trustedProxies: string[];
  /** Origins whose pages may talk to this server with a token: fronts in direct mode. */
  corsOrigins: string[];
}

/** A setting that can't be used; `message` is the whole line for the operator. */
export class SettingsError extends Error {
  constructor(
    { variable, value }: { variable: string; value: string },
    allowed: string,
    options: { cause?: unknown } = {},
  ) {
    // One line, whatever a parser said.
    const reason = allowed.replaceAll(/\s+/g, ' ').trim();
    super(`${variable}=${JSON.stringify(value)} is not valid: ${reason}`, options);
    this.name = 'SettingsError';
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const flag = z.preprocess(
  (value) => (typeof value === 'string' ? BOOLEANS.get(value.toLowerCase()) : (value ?? false)),
  z.boolean({ error: 'allowed are true and false' }),
);

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** A proxy on this machine. */
export const DEFAULT_TRUSTED_PROXIES = ['loopback'] as const;
const PROXY_WORDS = new Set(['loopback', 'linklocal', 'uniquelocal']);
const PROXIES = `allowed are addresses, networks (10.0.0.0/8), ${[...PROXY_WORDS].join(', ')}, or none alone`;

const proxies = list
  .transform((named) => {
    if (named.length === 0) return [...DEFAULT_TRUSTED_PROXIES];
    return named.length === 1 && named[0] === 'none' ? [] : named;
  })
  .refine(
    (named) => named.every((one) => PROXY_WORDS.has(one) || ipaddr.isValid(one) || ipaddr.isValidCIDR(one)),
    PROXIES,
  );

const places = list.refine(
  (named) => named.every(isEgressRule),
  'allowed are addresses, networks, host names, loopback, private, public',
);

const folder = z
  .string()
  .optional()
  .transform((path) => (path === undefined ? null : resolve(path)));

function isUrlOf(schemes: readonly string[]) {
  return (text: string) => URL.canParse(text) && schemes.includes(new URL(text).protocol);
}

const OWN_DATABASES = new Set(['embedded', 'pglite']);
const DATABASE_URLS =
  'allowed are embedded, pglite, or a URL such as postgres://user:password@host:5432/database';
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 256;
const PASSWORDS = `allowed are ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`;

const environmentSchema = z.object({
  PORT: z.coerce
    .number({ error: 'allowed are whole numbers from 0 (any free port) to 65535' })
    .int('allowed are whole numbers from 0 (any free port) to 65535')
    .min(0, 'allowed are whole numbers from 0 (any free port) to 65535')
    .max(65_535, 'allowed are whole numbers from 0 (any free port) to 65535')
    .default(8080),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'allowed are an address or a host name')
    .default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .refine((text) => OWN_DATABASES.has(text) || isUrlOf(['postgres:', 'postgresql:'])(text), DATABASE_URLS)
    .optional(),
  ADMIN_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'allowed are e-mail addresses')
    .default('admin@local'),
  ADMIN_PASSWORD: z
    .string()
    .min(MIN_PASSWORD_LENGTH, PASSWORDS)
    .max(MAX_PASSWORD_LENGTH, PASSWORDS)
    .optional(),
  CANARIES_DIR: folder,
  PLAYBOOKS_DIR: folder,
  LOGS_DIR: folder,
  LOG_BACKENDS_DIR: folder,
  SCRAPERS_DIR: folder,
  TOPOLOGIES_DIR: folder,
  BACKEND_URL: z
    .string()
    .refine(isUrlOf(['http:', 'https:']), 'allowed are http:// and https:// URLs')
    .optional(),
  AUTH_MODE: z
    .enum(['basic', 'hosted'], { error: 'allowed are basic (the built-in sign-in) and hosted (a provider)' })
    .default('basic'),
  ...HOSTED_VARIABLES,
  ...UPSTREAM_VARIABLES,
  TRUSTED_PROXIES: proxies,
  CORS_ORIGINS: list,
  CHECKS_ONLY: flag,
  ALLOW_EXEC: flag,
  EGRESS_ALLOW: places,
  EGRESS_DENY: places,
  ...OUTSIDE_VARIABLES,
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `allowed are ${LOG_LEVELS.join(', ')}` }).default('info'),
  AUTH_DEMO: flag,
  REGISTRATION: z
    .enum(['open', 'invitation', 'closed'], { error: 'allowed are open, invitation and closed' })
    .default('invitation'),
  PUBLIC_URL: z
    .string()
    .refine(isUrlOf(['http:', 'https:']), 'allowed are http:// and https:// URLs')
    .optional(),
  SMTP_URL: z
    .string()
    .refine(isUrlOf(['smtp:', 'smtps:']), 'allowed are smtp:// and smtps:// URLs')
    .optional(),
  SMTP_FROM: z
    .string()
    .regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, 'allowed is an e-mail address')
    .default('holdfast@localhost'),
});

const FLAGS = ['--demo'];
const SECRETS = new Set([
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'UPSTREAM_PASSWORD',
]);

/** Known variables only, and an empty one counts as not set. */
function pickKnown(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of Object.keys(environmentSchema.shape)) {
    const value = env[name];
    if (value !== undefined && value.trim() !== '') picked[name] = value;
  }
  return picked;
}

function refusalOf(error: z.ZodError, given: Record<string, string>): SettingsError {
  const issue = error.issues[0];
  const variable = String(issue?.path[0] ?? 'environment');
  const value = SECRETS.has(variable) ? '***' : (given[variable] ?? '');
  return new SettingsError({ variable, value }, issue?.message ?? 'not understood');
}

function hostedOf(
  known: Parameters<typeof hostedSettings>[0],
  given: Record<string, string>,
): HostedSettings {
  try {
    return hostedSettings(known);
  } catch (error) {
    if (error instanceof HostedSettingsError) {
      const { variable } = error;
      const value = SECRETS.has(variable) ? '***' : (given[variable] ?? '');
      throw new SettingsError({ variable, value }, error.message, { cause: error });
    }
    throw error;
  }
}

/** Parses environment and flags; throws SettingsError for the first that can't be used. */
export function parseSettings(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): Settings {
  const strange = args.find((arg) => !FLAGS.includes(arg));
  if (strange !== undefined)
    throw new SettingsError({ variable: 'argument', value: strange }, `allowed are ${FLAGS.join(', ')}`);
  const given = pickKnown(env);
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) throw refusalOf(parsed.error, given);
  const known = parsed.data;
  const upstream = upstreamSettings(known);
  if (upstream === 'no-password')
    throw new SettingsError({ variable: 'UPSTREAM_PASSWORD', value: '' }, 'UPSTREAM_URL needs a token here');
  return {
    port: known.PORT,
    host: known.HOST,
    dataDir: resolve(known.DATA_DIR),
    databaseUrl: known.DATABASE_URL ?? null,
    adminEmail: known.ADMIN_EMAIL.toLowerCase(),
    adminPassword: known.ADMIN_PASSWORD ?? null,
    canariesDir: known.CANARIES_DIR,
    scrapersDir: known.SCRAPERS_DIR,
    topologiesDir: known.TOPOLOGIES_DIR,
    playbooksDir: known.PLAYBOOKS_DIR,
    logsDir: known.LOGS_DIR,
    logBackendsDir: known.LOG_BACKENDS_DIR,
    backendUrl: known.BACKEND_URL ?? null,
    isChecksOnly: known.CHECKS_ONLY,
    isExecAllowed: known.ALLOW_EXEC,
    egressAllow: known.EGRESS_ALLOW,
    egressDeny: known.EGRESS_DENY,
    uplinkProbes: known.UPLINK_PROBES,
    chartsUrl: known.CHARTS_URL,
    advertiseUrl: known.ADVERTISE_URL,
    logLevel: known.LOG_LEVEL,
    isDemo: args.includes('--demo'),
    isAuthDemo: known.AUTH_DEMO,
    registration: known.REGISTRATION,
    publicUrl: known.PUBLIC_URL === undefined ? null : trimEnd(known.PUBLIC_URL, '/'),
    smtpUrl: known.SMTP_URL ?? null,
    smtpFrom: known.SMTP_FROM,
    hosted: known.AUTH_MODE === 'hosted' ? hostedOf(known, given) : null,
    upstream,
    trustedProxies: known.TRUSTED_PROXIES,
    corsOrigins: known.CORS_ORIGINS,
  };
}
