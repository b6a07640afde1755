/**
 * Kinds of other products that this server doesn't run, each with one sentence that says why and what to use
 * instead: a specification that names them still runs with the rest of it.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { ScraperKind } from '../specs/scraped.ts';

/** By the key of the kind. */
export const REFUSED_REASONS: Readonly<Record<string, string>> = {
  gcp: 'Google Cloud is not scraped; export its assets (gcloud asset list --format json) and read them with file or http',
  github:
    'repositories and their security are not scraped; githubActions reads workflows, http reads its REST API',
  terraform: 'states of Terraform are not read; write terraform show -json to a file and read it with file',
  slack: 'messages of Slack are not read; let their sender report changes through the API',
  logs: 'log backends are not scraped for changes; read their HTTP API with http and a transform',
  postgres: 'the key is not known; write sql with a connection postgres://… and a query',
  clickhouse: 'ClickHouse has no driver here; read its HTTP interface with http',
};

const refused = (kind: string, reason: string): ScraperKind => ({
  kind,
  scrape: async () => {
    throw new AppError('invalid', `kind: ${reason}`);
  },
});

/** Kinds that are known and never run; a list of what can be scraped leaves them out. */
export const isRefused = (kind: string): boolean => Object.hasOwn(REFUSED_REASONS, kind);

export const REFUSED_KINDS: readonly ScraperKind[] = Object.entries(REFUSED_REASONS).map(([kind, reason]) =>
  refused(kind, reason),
);
