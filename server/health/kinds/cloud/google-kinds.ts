/** databaseBackup and pubsub: Cloud SQL's backups and messages of a subscription, by Google's REST interfaces (schema §4.1). */
import { z } from 'zod';
import { parseDuration } from '../../../../src/domain/check/duration.ts';
import { formatDuration } from '../../../../src/domain/time/format.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, durationText, limits, required } from '../../kind/spec-fields.ts';
import { googleConnection, openGoogle } from './google-access.ts';
import { jsonOrNull } from '../../../../src/lib/json-or-null.ts';
import { sortedBy } from '../../../../src/lib/sorted-by.ts';

const name = required.pipe(z.string().regex(/^[\w.:-]+$/, 'must be a name'));
const KEY = { valueFrom: { secretKeyRef: { name: 'google', key: 'key.json' } } };

const backupSchema = z.strictObject({
  ...common,
  ...limits,
  maxAge: durationText.optional(),
  gcp: z.strictObject({ project: name, instance: name, gcpConnection: googleConnection.optional() }),
});
type BackupSpec = z.output<typeof backupSchema>;

const backupRuns = z.object({
  items: z
    .array(
      z.object({
        id: z.coerce.string(),
        status: z.string(),
        endTime: z.string().optional(),
        type: z.string().optional(),
      }),
    )
    .default([]),
});

function runBackup(spec: BackupSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { project, instance, gcpConnection = {} } = spec.gcp;
    const scope = 'https://www.googleapis.com/auth/sqlservice.admin';
    const call = await openGoogle(gcpConnection, { host: 'sqladmin.googleapis.com', scope }, at);
    const path = [project, instance].map(encodeURIComponent);
    const answer = await call(`/v1/projects/${path[0]}/instances/${path[1]}/backupRuns?maxResults=20`);
    const { items } = backupRuns.parse(answer);
    const done = sortedBy(
      items.filter(({ status, endTime }) => status === 'SUCCESSFUL' && endTime !== undefined),
      ({ endTime = '' }) => -Date.parse(endTime),
    );
    const [newest] = done;
    const data = { results: { newest: newest ?? null, backups: items } };
    if (newest === undefined) return { data, error: `${instance} has no backup that succeeded` };
    const ageMs = at.platform.now() - Date.parse(newest.endTime ?? '');
    const maxMs = parseDuration(spec.maxAge ?? '');
    const isOld = maxMs !== null && ageMs > maxMs;
    const error = isOld
      ? `the newest backup is ${formatDuration(ageMs)} old, at most ${spec.maxAge} wanted (maxAge)`
      : null;
    return { data, error, message: `${formatDuration(ageMs)} old` };
  });
}

/** Backups of a database. */
export const databaseBackupKind = registeredKind({
  key: 'databaseBackup',
  type: 'databasebackupcheck',
  title: 'Database backup',
  needs:
    'the key of a service account that may read Cloud SQL; other clouds: a folder check of where backups lie',
  testedAgainst: 'stand-in',
  example: {
    name: 'orders backup',
    maxAge: '26h',
    gcp: { project: 'acme-shop', instance: 'orders', gcpConnection: { credentials: KEY } },
  },
  schema: backupSchema,
  run: runBackup,
});

const subscription = { project_id: name, subscription: name };
const pubsubSchema = z.strictObject({
  ...common,
  ...limits,
  ...googleConnection.shape,
  pubsub: z.strictObject(subscription),
  /** Otherwise they stay, for whoever they are for. */
  acknowledge: z.boolean().optional(),
  maxMessages: z.number().int().min(1).max(100).optional(),
});
type PubsubSpec = z.output<typeof pubsubSchema>;

const pulled = z.object({
  receivedMessages: z
    .array(
      z.object({
        ackId: z.string(),
        message: z
          .object({
            messageId: z.string().default(''),
            data: z.string().default(''),
            attributes: z.record(z.string(), z.string()).default({}),
            publishTime: z.string().default(''),
          })
          .prefault({}),
      }),
    )
    .default([]),
});
const DEFAULT_MESSAGES = 10;

function runPubsub(spec: PubsubSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { project_id: project, subscription: own } = spec.pubsub;
    const scope = 'https://www.googleapis.com/auth/pubsub';
    const call = await openGoogle(spec, { host: 'pubsub.googleapis.com', scope }, at);
    const path = `/v1/projects/${encodeURIComponent(project)}/subscriptions/${encodeURIComponent(own)}`;
    const wanted = { maxMessages: spec.maxMessages ?? DEFAULT_MESSAGES, returnImmediately: true };
    const { receivedMessages } = pulled.parse(await call(`${path}:pull`, wanted));
    const ackIds = receivedMessages.map(({ ackId }) => ackId);
    // A deadline of nothing gives them back at once.
    if (ackIds.length > 0 && spec.acknowledge === true) await call(`${path}:acknowledge`, { ackIds });
    else if (ackIds.length > 0) await call(`${path}:modifyAckDeadline`, { ackIds, ackDeadlineSeconds: 0 });
    const messages = receivedMessages.map(({ message: { messageId, data, attributes, publishTime } }) => {
      const text = Buffer.from(data, 'base64').toString('utf8');
      return { id: messageId, data: text, json: jsonOrNull(text), attributes, publishTime };
    });
    return { data: { results: { messages, count: messages.length } } };
  });
}

/** Messages that wait. */
export const pubsubKind = registeredKind({
  key: 'pubsub',
  title: 'Google Pub/Sub',
  needs: 'the key of a service account that may pull; messages stay unless acknowledge is true',
  testedAgainst: 'stand-in',
  example: {
    name: 'dead letters',
    pubsub: { project_id: 'acme-shop', subscription: 'dead-letters' },
    credentials: KEY,
    test: { expr: 'results.count == 0' },
  },
  schema: pubsubSchema,
  run: runPubsub,
});
