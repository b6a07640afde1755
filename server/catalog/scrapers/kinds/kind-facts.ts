/** What each kind of scraper needs to run here, and what its tests speak to: the table of docs/scrapers-kinds.md. */
import { lookupTable } from '../../../../src/lib/lookup-table.ts';
export interface ScraperFacts {
  needs: string;
  testedAgainst:
    | 'real service'
    | 'real client over a local server'
    | 'stand-in'
    | 'recorded reports'
    | 'nothing yet';
}

const AWS = 'an access key or a connection';
const GOOGLE = 'the key of a service account, or a connection that has it';

/** By the key in a specification. */
export const SCRAPER_FACTS = lookupTable<ScraperFacts>({
  kubernetes: {
    needs: 'a kubeconfig or, in a file, the cluster that this server runs in; list and watch on what is read',
    testedAgainst: 'real client over a local server',
  },
  kubernetesFile: {
    needs: 'a kubeconfig that may exec in pods',
    testedAgainst: 'real client over a local server',
  },
  aws: {
    needs: `${AWS}; for costs a report in Athena, for Trusted Advisor a support plan with its API`,
    testedAgainst: 'real client over a local server',
  },
  azure: { needs: 'a client secret or a connection', testedAgainst: 'real client over a local server' },
  azureDevops: { needs: 'an access token', testedAgainst: 'stand-in' },
  gcp: { needs: `${GOOGLE}; Cloud Asset Inventory switched on`, testedAgainst: 'stand-in' },
  githubActions: {
    needs: 'a token for what is not public',
    testedAgainst: 'real client over a local server',
  },
  github: {
    needs: 'a token; for findings one that may read security events',
    testedAgainst: 'real client over a local server',
  },
  http: { needs: 'nothing', testedAgainst: 'real service' },
  file: { needs: 'SCRAPERS_DIR for files, nothing for a URL or a repository', testedAgainst: 'real service' },
  sql: {
    needs: 'a user that may read (PostgreSQL, MySQL), that may only read (SQL Server)',
    testedAgainst: 'real service',
  },
  postgres: { needs: 'a user that may connect', testedAgainst: 'real service' },
  clickhouse: { needs: 'its HTTP interface', testedAgainst: 'stand-in' },
  logs: { needs: 'what the log backend of that kind needs', testedAgainst: 'stand-in' },
  exec: { needs: 'ALLOW_EXEC=true', testedAgainst: 'real service' },
  trivy: {
    needs: 'ALLOW_EXEC=true and the command, or a report of it',
    testedAgainst: 'recorded reports',
  },
  terraform: {
    needs: `nothing for files and URLs; ${AWS} for S3; ${GOOGLE} for Cloud Storage`,
    testedAgainst: 'stand-in',
  },
  slack: { needs: "a bot's token with channels:read and channels:history", testedAgainst: 'stand-in' },
});
