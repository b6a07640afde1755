/** For tests only: rules over a real database, things whose health a test sets, and a clock that it moves. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { createSealer } from '../../platform/crypto/sealing.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { subscribeEvents } from '../../platform/jobs/event-query.ts';
import { createChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import { createSmtpTransport } from '../../platform/mail/mail-transport.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { createDeliveryQueue } from '../delivery/delivery-queue.ts';
import { retryDelivery } from '../delivery/delivery-query.ts';
import {
  createNotificationService,
  type NotificationDeps,
  type NotificationService,
} from '../notification-service.ts';
import { toJson } from '../../platform/db/to-json.ts';

const silent = pino({ level: 'silent' });

export interface HistoryRow {
  status: string;
  source_event: string;
  resource_id: string;
  count: number;
  title: string | null;
  recipient: string | null;
  reason: string | null;
  error: string | null;
  body: string | null;
  attempts: { outcome: string }[];
}

export class NotificationSetting {
  readonly db: Database;
  readonly service: NotificationService;
  /** To authors of silences. */
  readonly letters: { to: string | null; subject: string }[] = [];
  private readonly smtpUrl: string | null;
  private aheadMs = 0;
  private stoppedMs: number | null = null;

  constructor(db: Database, smtpUrl: string | null = null) {
    this.db = db;
    this.smtpUrl = smtpUrl;
    this.service = this.process();
  }

  now(): number {
    return (this.stoppedMs ?? nodePlatform.now()) + this.aheadMs;
  }

  /** From now on time passes by `advance` alone: a slow machine changes nothing. */
  stopClock(): void {
    this.stoppedMs = nodePlatform.now();
  }

  advance(ms: number): void {
    this.aheadMs += ms;
  }

  /** Another server on the same database. */
  process(changed: Partial<NotificationDeps> = {}): NotificationService {
    return createNotificationService({ ...this.deps(), ...changed });
  }

  private deps(): NotificationDeps {
    const platform = { ...nodePlatform, now: () => this.now() };
    const { db, smtpUrl } = this;
    return {
      db,
      notifier: createChangeNotifier(platform),
      platform,
      logger: silent,
      leases: createLeases({ db, platform: nodePlatform, logger: silent }),
      guard: createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null }),
      sealer: createSealer(Buffer.alloc(32, 1), nodePlatform),
      secret: (_kind, name, key) => Promise.resolve(`value of ${name}/${key}`),
      mail: smtpUrl === null ? null : createSmtpTransport({ url: smtpUrl, from: 'holdfast@example.com' }),
      push: () =>
        Promise.resolve({ outcome: { kind: 'failed', reason: 'no push in this test' }, hasOthers: false }),
      courier: {
        enqueue: (_tx, to, { subject }) => Promise.resolve(void this.letters.push({ to, subject })),
        wake: () => undefined,
      },
      publicUrl: () => 'https://holdfast.example',
    };
  }

  /** All that is due now, and what follows from it. */
  async settle(service: NotificationService = this.service): Promise<void> {
    const { signal } = new AbortController();
    while ((await service.settle(signal)) > 0);
  }

  /** Sends what is due, and asks no rule meanwhile. */
  async sendDue(): Promise<void> {
    const expressions = { evaluate: () => Promise.reject(new Error('nothing to evaluate')) };
    await createDeliveryQueue({ ...this.deps(), expressions }).drain();
  }

  /** Sends again what failed. */
  async retry(rule: string): Promise<void> {
    const failed = await this.db.rows(
      z.custom<{ id: string }>(),
      `select id from notification_send_history where notification_id = $1 and status = 'error'`,
      [rule],
    );
    for (const { id } of failed) await retryDelivery(this.db, id, new Date(this.now()));
  }

  async id(sql: string, params: readonly (string | null)[]): Promise<string> {
    const [row] = await this.db.rows(z.custom<{ id: string }>(), sql, [...params]);
    return row?.id ?? '';
  }

  person(email = `ada-${randomUUID()}@example.com`): Promise<string> {
    return this.id(`insert into people (name, email) values ('Ada', $1) returning id`, [email]);
  }

  async check(name: string, labels: object = {}): Promise<string> {
    const canary = await this.id(
      `insert into canaries (name, namespace, spec) values ($1, 'shop', '{}') returning id`,
      [`canary of ${name} ${randomUUID()}`],
    );
    return this.id(
      `insert into checks (canary_id, type, name, status, labels) values ($1, 'http', $2, 'healthy', $3::jsonb) returning id`,
      [canary, name, toJson(labels)],
    );
  }

  async setCheck(id: string, status: 'healthy' | 'unhealthy', error = 'connection refused'): Promise<void> {
    await this.db.run(
      `insert into check_statuses (check_id, time, status, error) values ($1, clock_timestamp(), $2, $3)`,
      [id, status === 'healthy', status === 'healthy' ? null : error],
    );
    await this.db.run('update checks set status = $2, last_runtime = clock_timestamp() where id = $1', [
      id,
      status,
    ]);
  }

  config(name: string, parent: string | null = null): Promise<string> {
    return this.id(
      `insert into config_items (name, type, config_class, health, parent_id)
       values ($1, 'Kubernetes::Node', 'Node', 'healthy', $2) returning id`,
      [name, parent],
    );
  }

  setConfig(id: string, health: string): Promise<number> {
    return this.db.run('update config_items set health = $2 where id = $1', [id, health]);
  }

  /** Of a rule that tells a service; columns as given. */
  rule(columns: Record<string, unknown>): Promise<string> {
    const given = { name: `rule ${randomUUID()}`, source: 'UI', ...columns };
    return this.id(
      `insert into notifications (name, source, events, filter, title, template, person_id, team_id, custom_services,
         repeat_interval, wait_for, group_by, properties, created_by)
       select name, source, events, filter, title, template, person_id, team_id, custom_services, repeat_interval, wait_for,
         group_by, properties, created_by from jsonb_populate_record(null::notifications, $1::jsonb) returning id`,
      [toJson(given)],
    );
  }

  history(rule: string): Promise<HistoryRow[]> {
    return this.db.rows(
      z.custom<HistoryRow>(),
      `select status, source_event, resource_id, count, title, recipient, reason, error, body, attempts
         from notification_send_history where notification_id = $1 order by created_at, id`,
      [rule],
    );
  }

  /** The only digest of a rule; its id. */
  async digestOf(rule: string): Promise<string> {
    const rows = await this.db.rows(
      z.custom<{ id: string }>(),
      `select id from notification_deliveries where notification_id = $1 and kind = 'digest'`,
      [rule],
    );
    if (rows.length !== 1) throw new Error(`${rows.length} digests`);
    return rows[0]?.id ?? '';
  }

  /** What every test starts from: nothing is asked or silenced, and events wait for rules alone, as where a server handles others. */
  async clear(): Promise<void> {
    await subscribeEvents(this.db, ['incident.created']);
    await this.db.run('update notifications set deleted_at = now() where deleted_at is null');
    await this.db.run('update notification_silences set deleted_at = now() where deleted_at is null');
    await this.db.run('delete from notification_events');
  }
}
