/** Where a query goes, and what comes back, alike for all databases. */
export interface SqlTarget {
  driver: 'postgres' | 'mysql' | 'sqlserver';
  /** The judged address; `host` is its name. */
  address: string;
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  sslMode: string;
  insecureTls: boolean;
}

export interface SqlRows {
  rows: Record<string, unknown>[];
  /** There were more. */
  isCut: boolean;
}

/** One statement; its values are parameters of it. */
export interface SqlStatement {
  text: string;
  values: (string | number)[];
}

export type SqlQuery = (target: SqlTarget, statement: SqlStatement, signal: AbortSignal) => Promise<SqlRows>;

export const MAX_ROWS = 10_000;
export const CONNECT_LIMIT_MS = 10_000;
export const QUERY_LIMIT_MS = 60_000;

/** TLS by the words of both databases: off, on, or on with the certificate checked. */
export function tlsOf({
  sslMode,
  host,
  insecureTls,
}: SqlTarget): false | { servername: string; rejectUnauthorized: boolean } {
  if (['disable', 'false', 'allow', 'prefer'].includes(sslMode)) return false;
  const isChecked = sslMode.startsWith('verify') || sslMode === 'true';
  return { servername: host, rejectUnauthorized: isChecked && !insecureTls };
}

/** Values of rows as JSON can hold them. */
export function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()];
      if (Buffer.isBuffer(value)) return [name, value.toString('base64')];
      return [name, typeof value === 'bigint' ? value.toString() : value];
    }),
  );
}
