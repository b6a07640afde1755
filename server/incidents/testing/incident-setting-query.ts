/** For tests only: subjects whose health a test sets, rules, and a service whose clock the test moves. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { createIncidentService } from '../rules/incident-service.ts';
import type { IncidentService } from '../rules/incident-service.ts';
import { toJson } from '../../platform/db/to-json.ts';

const silent = pino({ level: 'silent' });

export interface IncidentRow {
  id: string;
  title: string;
  status: string;
  severity: string;
  type: string;
  description: string;
  incident_rule_id: string | null;
  created_by: string;
  commander_id: string | null;
}

export class IncidentSetting {
  readonly db: Database;
  readonly service: IncidentService;
  readonly localProperties = new Map<string, string>();
  private aheadMs = 0;

  constructor(db: Database) {
    this.db = db;
    this.service = this.openService();
  }

  /** Another server on the same database, or on `db`; `tick` is called whenever it looks at the clock. */
  openService(tick: () => void = () => undefined, db: Database = this.db): IncidentService {
    const now = () => {
      tick();
      return this.now();
    };
    return createIncidentService({
      db,
      platform: { ...nodePlatform, now },
      leases: createLeases({ db: this.db, platform: nodePlatform, logger: silent }),
      logger: silent,
      localProperties: this.localProperties,
      notify: () => undefined,
    });
  }

  now(): number {
    return nodePlatform.now() + this.aheadMs;
  }

  advance(ms: number): void {
    this.aheadMs += ms;
  }

  /** Rounds until there is nothing left to do. */
  async settle(): Promise<void> {
    for (let round = 0; round < 10; round += 1) {
      if ((await this.service.runOnce()) === null) return;
    }
    throw new Error('the rounds do not come to an end');
  }

  async rule(name: string, spec: object): Promise<string> {
    const [row] = await this.db.rows(
      z.custom<{ id: string }>(),
      `insert into incident_rules (name, spec, created_by) values ($1, $2::jsonb,
        (select id from people where name = 'System')) returning id`,
      [name, toJson(spec)],
    );
    return row?.id ?? '';
  }

  async component(name: string, health = 'healthy', owner: string | null = null): Promise<string> {
    const id = randomUUID();
    await this.db.run(
      `insert into components (id, external_id, name, type, status, health, owner)
       values ($1, $2, $3, 'Service', $4, $4, $5)`,
      [id, id, name, health, owner],
    );
    return id;
  }

  async componentIs(id: string, health: string): Promise<void> {
    await this.db.run('update components set health = $2, status = $2 where id = $1', [id, health]);
  }

  async check(name: string, status = 'healthy', severity: string | null = null): Promise<string> {
    const [canary] = await this.db.rows(
      z.custom<{ id: string }>(),
      `insert into canaries (name, namespace, spec) values ($1, 'default', '{}') returning id`,
      [`canary of ${name} ${randomUUID()}`],
    );
    const [row] = await this.db.rows(
      z.custom<{ id: string }>(),
      `insert into checks (canary_id, type, name, status, severity) values ($1, 'http', $2, $3, $4) returning id`,
      [canary?.id ?? null, name, status, severity],
    );
    return row?.id ?? '';
  }

  async checkIs(id: string, status: string | null): Promise<void> {
    await this.db.run('update checks set status = $2 where id = $1', [id, status]);
  }

  async config(name: string, health = 'healthy'): Promise<string> {
    const [row] = await this.db.rows(
      z.custom<{ id: string }>(),
      `insert into config_items (config_class, type, name, health, config)
       values ('Deployment', 'Kubernetes::Deployment', $1, $2, '{"replicas": 3}') returning id`,
      [name, health],
    );
    return row?.id ?? '';
  }

  incidents(): Promise<IncidentRow[]> {
    return this.db.rows(
      z.custom<IncidentRow>(),
      `select id, title, status, severity, type, description, incident_rule_id, created_by, commander_id
       from incidents order by created_at, id`,
    );
  }

  async statusIs(id: string, status: string): Promise<void> {
    await this.db.run('update incidents set status = $2 where id = $1', [id, status]);
  }

  async history(incidentId: string): Promise<string[]> {
    const rows = await this.db.rows(
      z.custom<{ type: string }>(),
      'select type from incident_histories where incident_id = $1 order by created_at, id',
      [incidentId],
    );
    return rows.map(({ type }) => type);
  }

  /** An incident of a person with one evidence; answers both ids. */
  async incidentOf(evidence: Record<string, unknown>): Promise<{ incidentId: string; evidenceId: string }> {
    const [made] = await this.db.rows(
      z.custom<{ incident: string; hypothesis: string }>(),
      `insert into hypotheses (incident_id, type, title, status, created_by)
       values ($1, 'root', 'Root', 'possible', $2) returning id as hypothesis, incident_id as incident`,
      [await this.plainIncident(), await this.systemId()],
    );
    const evidenceId = await this.evidenceOn(made?.hypothesis ?? '', evidence);
    return { incidentId: made?.incident ?? '', evidenceId };
  }

  async evidenceOn(hypothesisId: string, evidence: Record<string, unknown>): Promise<string> {
    const [row] = await this.db.rows(
      z.custom<{ id: string }>(),
      `insert into evidences (hypothesis_id, type, description, definition_of_done, done, script, component_id, check_id,
         config_id, config_analysis_id, created_by)
       select $1::uuid, coalesce(given ->> 'type', 'topology'), 'evidence', (given ->> 'definition_of_done')::boolean,
         (given ->> 'done')::boolean, given ->> 'script', (given ->> 'component_id')::uuid,
         (given ->> 'check_id')::uuid, (given ->> 'config_id')::uuid, (given ->> 'config_analysis_id')::uuid, $3::uuid
       from (select $2::jsonb as given) as input returning id`,
      [hypothesisId, toJson({ definition_of_done: true, ...evidence }), await this.systemId()],
    );
    return row?.id ?? '';
  }

  async evidence(id: string): Promise<{ done: boolean | null; script_result: string | null } | undefined> {
    const [row] = await this.db.rows(
      z.custom<{ done: boolean | null; script_result: string | null }>(),
      'select done, script_result from evidences where id = $1',
      [id],
    );
    return row;
  }

  async doneByHand(id: string, done: boolean): Promise<void> {
    await this.db.run('update evidences set done = $2::boolean where id = $1', [id, done]);
  }

  async systemId(): Promise<string> {
    return (await this.db.text(`select id::text from people where name = 'System'`)) ?? '';
  }

  /** Takes everything out that a test made. */
  async clear(): Promise<void> {
    const tables = `incident_wakes incident_rounds incident_histories comments evidences hypotheses responders
      incident_rule_subjects incident_done_states incidents incident_rules checks canaries config_analysis config_items
      components teams job_history properties event_queue`;
    for (const table of tables.split(/\s+/)) await this.db.run(`delete from ${table}`);
    this.localProperties.clear();
  }

  private async plainIncident(): Promise<string> {
    const [row] = await this.db.rows(
      z.custom<{ id: string }>(),
      `insert into incidents (title, description, severity, type, status, created_by)
       values ('By hand', '', 'low', 'availability', 'open', $1) returning id`,
      [await this.systemId()],
    );
    return row?.id ?? '';
  }
}
