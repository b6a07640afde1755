/** For tests only: the way to outside systems over a real database, with a clock that can be moved. */
import { pino } from 'pino';
import { z } from 'zod';
import { createChangeNotifier } from '../../../platform/jobs/change-notifier.ts';
import { createLeases } from '../../../platform/jobs/leases.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createServerGuard } from '../../../platform/egress/server-guard.ts';
import { createEventParts } from '../../../app/event-parts.ts';
import type { EventParts } from '../../../app/event-parts.ts';
import { createFileTransport, createSmtpTransport } from '../../../platform/mail/mail-transport.ts';
import { createSealer } from '../../../platform/crypto/sealing.ts';
import { nodePlatform } from '../../../platform/platform.ts';

const silent = pino({ level: 'silent' });
const FROM = 'holdfast@example.com';

export interface ResponderSetting {
  /** Another process on the same database. */
  process(): EventParts;
  /** Does all that is due. */
  settle(): Promise<void>;
  advance(ms: number): void;
}

export function responderSetting(
  db: Database,
  options: { smtpUrl?: string; mailFolder?: string } = {},
): ResponderSetting {
  let aheadMs = 0;
  const platform = { ...nodePlatform, now: () => nodePlatform.now() + aheadMs };
  const smtpUrl = options.smtpUrl ?? null;
  // The demo writes mails into files.
  const { mailFolder } = options;
  const isDemo = mailFolder !== undefined;
  const process = () =>
    createEventParts({
      db,
      notifier: createChangeNotifier(platform),
      platform,
      logger: silent,
      leases: createLeases({ db, platform, logger: silent }),
      settings: { smtpUrl, isDemo },
      outside: {
        guard: createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null }),
        sealer: createSealer(Buffer.alloc(32, 1), nodePlatform),
        secret: (_kind, name, key) => Promise.resolve(`value of ${name}/${key}`),
      },
      mailbox:
        smtpUrl === null
          ? createFileTransport({ folder: mailFolder ?? '/nowhere', from: FROM, isDemo, logger: silent })
          : createSmtpTransport({ url: smtpUrl, from: FROM }),
      publicUrl: () => 'https://holdfast.example',
    });
  const own = process();
  return {
    process,
    advance: (ms) => {
      aheadMs += ms;
    },
    async settle() {
      const { signal } = new AbortController();
      while ((await own.settle(signal)) > 0);
    },
  };
}

export interface World {
  person: string;
  incident: string;
  root: string;
}

/** An incident with its root hypothesis, by a person. */
export async function seedIncident(db: Database, title: string): Promise<World> {
  const id = async (sql: string, params: readonly string[]) => {
    const [row] = await db.rows(z.custom<{ id: string }>(), sql, params);
    return row?.id ?? '';
  };
  const person = await id(`insert into people (name, email) values ('Ada', $1) returning id`, [
    `ada-${nodePlatform.secret(4)}@example.com`,
  ]);
  const incident = await id(
    `insert into incidents (title, description, severity, type, status, created_by)
     values ($1, 'It is down', 'high', 'availability', 'open', $2) returning id`,
    [title, person],
  );
  const root = await id(
    `insert into hypotheses (incident_id, type, title, status, created_by) values ($1, 'root', $2, 'possible', $3) returning id`,
    [incident, title, person],
  );
  return { person, incident, root };
}

export async function seedTeam(db: Database, person: string, clients: object): Promise<string> {
  const values = [`team ${nodePlatform.secret(4)}`, JSON.stringify({ responder_clients: clients }), person];
  return db.transaction(async (tx) => {
    // As an administrator: references to mounted secrets are his to write.
    await tx.text(`select set_config('holdfast.may_grant', 'yes', true)`);
    const [row] = await tx.rows(
      z.custom<{ id: string }>(),
      `insert into teams (name, spec, created_by) values ($1, $2::jsonb, $3) returning id`,
      values,
    );
    return row?.id ?? '';
  });
}

export async function seedResponder(
  db: Database,
  { person, incident }: World,
  { team, properties }: { team: string; properties: object },
): Promise<string> {
  const [row] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into responders (incident_id, type, team_id, properties, created_by)
     values ($1, 'system', $2, $3::jsonb, $4) returning id`,
    [incident, team, JSON.stringify(properties), person],
  );
  return row?.id ?? '';
}

export async function seedComment(
  db: Database,
  { person, incident, root }: World,
  text: string,
): Promise<string> {
  const [row] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into comments (comment, incident_id, hypothesis_id, created_by) values ($1, $2, $3, $4) returning id`,
    [text, incident, root, person],
  );
  return row?.id ?? '';
}

export interface DeliveryRow {
  state: string;
  attempts: number;
  error: string | null;
  url: string | null;
  remote_status: string | null;
}

export async function deliveryOf(db: Database, responder: string): Promise<DeliveryRow | null> {
  const rows = await db.rows(
    z.custom<DeliveryRow>(),
    'select state, attempts, error, url, remote_status from responder_deliveries where responder_id = $1',
    [responder],
  );
  return rows[0] ?? null;
}
