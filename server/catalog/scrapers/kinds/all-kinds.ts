/**
 * The kinds of scrapers that this server runs, by their key in a specification. A kind that is not here is
 * refused in the run's job history while the rest of the specification runs.
 */
import type { ScraperKind } from '../specs/scraped.ts';
import { gcpKind } from './gcp/gcp-kind.ts';
import { githubKind } from './github/github-kind.ts';
import { slackKind } from './slack/slack-kind.ts';
import { terraformKind } from './terraform/terraform-kind.ts';
import { execKind } from './exec/exec-kind.ts';
import { fileKind } from './file/file-kind.ts';
import { httpKind } from './http/http-kind.ts';
import { clickhouseKind } from './clickhouse/clickhouse-kind.ts';
import { logsKind } from './logs/logs-kind.ts';
import { postgresKind } from './postgres/postgres-kind.ts';
import { SERVICE_KINDS } from './service-kinds.ts';
import { sqlKind } from './sql/sql-kind.ts';

/** What an entry is, is checked against the schema of its kind before it gets here. */
const ALL: readonly ScraperKind<never>[] = [
  fileKind,
  httpKind,
  sqlKind,
  postgresKind,
  clickhouseKind,
  logsKind,
  execKind,
  gcpKind,
  terraformKind,
  slackKind,
  githubKind,
  ...SERVICE_KINDS,
];

export const SCRAPER_KINDS: ReadonlyMap<string, ScraperKind<never>> = new Map(
  ALL.map((kind) => [kind.kind, kind]),
);
