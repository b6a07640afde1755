/**
 * What administrators do to settings, people and agents (contract §2.4, §3, §8, §10, §14.1): one call of the
 * contract each, done now or refused. They are never queued: offline they are disabled (design §4 law 9).
 */
import { z } from 'zod';
import { boardDraftSchema, wallSettingsSchema } from './walls.ts';

export const SETTINGS_TABLES = [
  'teams',
  'incident_rules',
  'config_scrapers',
  'topologies',
  'canaries',
  'connections',
  'logging_backends',
  'properties',
  'agents',
  'playbooks',
  'notifications',
  'notification_silences',
] as const;
export type SettingsTable = (typeof SETTINGS_TABLES)[number];

const table = z.enum(SETTINGS_TABLES);
const values = z.record(z.string(), z.unknown());
const personSchema = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.string(),
});

/** Events that failed and are to be tried again. */
export const retryEventsSchema = z.object({ ids: z.array(z.guid()).min(1).max(500) });

export const adminActionSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('insert_row'), table, values }),
  /** `key` names the row: its id, or a property's name. */
  z.object({ name: z.literal('update_row'), table, key: z.string(), values }),
  z.object({ name: z.literal('delete_row'), table, key: z.string() }),
  z.object({ name: z.literal('invite_user'), ...personSchema.shape }),
  z.object({ name: z.literal('update_user'), id: z.string(), active: z.boolean(), ...personSchema.shape }),
  z.object({ name: z.literal('delete_user'), id: z.string() }),
  /** A link that a person made between a component and a config, or takes back (contract §6.1). */
  z.object({ name: z.literal('link_config'), componentId: z.guid(), configId: z.guid() }),
  z.object({ name: z.literal('unlink_config'), componentId: z.guid(), configId: z.guid() }),
  /** People join a team, or one leaves it, this one only (contract §2.6). */
  z.object({ name: z.literal('add_team_members'), teamId: z.guid(), personIds: z.array(z.guid()).min(1) }),
  z.object({ name: z.literal('remove_team_member'), teamId: z.guid(), personId: z.guid() }),
  z.object({ name: z.literal('test_connection'), id: z.string() }),
  z.object({ name: z.literal('retry_events'), ...retryEventsSchema.shape }),
  /** Reads a scraper's sources now. */
  z.object({ name: z.literal('run_scraper'), id: z.string() }),
  /** Confirms the code that a screen shows. */
  z.object({ name: z.literal('pair_wall'), code: z.string(), wallName: z.string() }),
  z.object({
    name: z.literal('change_wall'),
    id: z.guid(),
    wallName: z.string().optional(),
    settings: wallSettingsSchema.optional(),
  }),
  /** The browser that asks becomes a tablet that people hand over. */
  z.object({ name: z.literal('share_tablet'), tabletName: z.string() }),
  z.object({ name: z.literal('revoke_tablet'), id: z.guid() }),
  /** Gives the session of whoever asks a token that this tablet can lock away. */
  z.object({ name: z.literal('bind_tablet_session') }),
  z.object({ name: z.literal('revoke_wall'), id: z.guid() }),
  z.object({ name: z.literal('save_board'), id: z.guid(), board: boardDraftSchema }),
  z.object({ name: z.literal('delete_board'), id: z.guid() }),
  z.object({
    name: z.literal('generate_agent'),
    agent: z.string(),
    properties: z.record(z.string(), z.string()),
    pushTelemetry: z.object({ enabled: z.boolean(), topologyName: z.string() }).optional(),
  }),
  /** With `cleanup`, also what the agent brought. */
  z.object({ name: z.literal('delete_agent'), id: z.guid(), cleanup: z.boolean() }),
]);
export type AdminAction = z.output<typeof adminActionSchema>;

/** What comes back, as far as the screens use it. */
export const inviteAnswerSchema = z.object({ link: z.string() });
export const agentAnswerSchema = z.object({
  id: z.string(),
  username: z.string(),
  access_token: z.string(),
});

/** What came of an action; `link` and `token` are shown once and never kept. */
export interface AdminOutcome {
  link: string | null;
  token: string | null;
}
