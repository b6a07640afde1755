/** Every migration, in the order in which they run. Numbers are never reused, applied ones never edited. */
import * as health from './0001-health.ts';
import * as identity from './0002-identity.ts';
import * as operations from './0003-operations.ts';
import * as changeLog from './0004-change-log.ts';
import * as commands from './0005-commands.ts';
import * as model from './0006-model.ts';
import * as transfer from './0007-transfer.ts';
import * as identityFlows from './0008-identity-flows.ts';
import * as organizations from './0010-organizations.ts';
import * as ingest from './0011-ingest.ts';
import * as scraperRuns from './0012-scraper-runs.ts';
import * as incidentFeed from './0013-incident-feed.ts';
import * as responders from './0014-responders.ts';
import * as incidentRules from './0015-incident-rules.ts';
import * as push from './0016-push.ts';
import * as responderTelling from './0017-responder-telling.ts';
import * as teamSecrets from './0018-team-secrets.ts';
import * as grantedSpecs from './0020-granted-specs.ts';
import * as specSecrets from './0021-spec-secrets.ts';
import * as rowRules from './0022-row-rules.ts';
import * as derivedPaths from './0023-derived-paths.ts';
import * as signIn from './0024-sign-in.ts';
import * as firstRuns from './0026-first-runs.ts';
import * as checksNotRun from './0028-checks-not-run.ts';
import * as catalogColumns from './0030-catalog-columns.ts';
import * as artifactContents from './0029-artifact-contents.ts';
import * as writtenAt from './0032-written-at.ts';
import * as sealedSecrets from './0034-sealed-secrets.ts';
import * as chainAndKeptSpecs from './0035-chain-and-kept-specs.ts';

export interface Migration {
  name: string;
  /** One or more statements. */
  up: string;
}

export const ALL_MIGRATIONS: readonly Migration[] = [
  { name: '0001-health', up: health.up },
  { name: '0002-identity', up: identity.up },
  { name: '0003-operations', up: operations.up },
  { name: '0004-change-log', up: changeLog.up },
  { name: '0005-commands', up: commands.up },
  { name: '0006-model', up: model.up },
  { name: '0007-transfer', up: transfer.up },
  { name: '0008-identity-flows', up: identityFlows.up },
  { name: '0010-organizations', up: organizations.up },
  { name: '0011-ingest', up: ingest.up },
  { name: '0012-scraper-runs', up: scraperRuns.up },
  { name: '0013-incident-feed', up: incidentFeed.up },
  { name: '0014-responders', up: responders.up },
  { name: '0015-incident-rules', up: incidentRules.up },
  { name: '0016-push', up: push.up },
  { name: '0017-responder-telling', up: responderTelling.up },
  { name: '0018-team-secrets', up: teamSecrets.up },
  { name: '0020-granted-specs', up: grantedSpecs.up },
  { name: '0021-spec-secrets', up: specSecrets.up },
  { name: '0022-row-rules', up: rowRules.up },
  { name: '0023-derived-paths', up: derivedPaths.up },
  { name: '0024-sign-in', up: signIn.up },
  { name: '0026-first-runs', up: firstRuns.up },
  { name: '0028-checks-not-run', up: checksNotRun.up },
  { name: '0030-catalog-columns', up: catalogColumns.up },
  { name: '0029-artifact-contents', up: artifactContents.up },
  { name: '0032-written-at', up: writtenAt.up },
  { name: '0034-sealed-secrets', up: sealedSecrets.up },
  { name: '0035-chain-and-kept-specs', up: chainAndKeptSpecs.up },
];
