/**
 * A team's specification (schema §8.2): what its responders are called through. Fields that are not named here
 * may follow; kinds that this version doesn't know are kept, and asked for a title and a description.
 */
import { z } from 'zod';

const word = z.string().optional();
const secret = z.string().optional().meta({
  description: 'A secret://name/key reference, or a value that only the server keeps',
  format: 'password',
});

/** A value of a list: plain, or with a key or id and a name. */
const choice = z.union([z.string(), z.number(), z.looseObject({ id: word, key: word, name: word })]);
const choices = z.array(choice);

const client = z.looseObject({
  url: word.describe('Address of the outside system, or of the webhook'),
  connection: word.describe('A connection that knows address and credentials'),
  username: word.describe('A secret://name/key reference, or a name'),
  password: secret,
  token: secret,
  secret: secret.meta({ description: 'Webhooks: the key that calls are signed with' }),
  defaults: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe(
      'What each field starts with: text with {{incident.title}}, {{incident.severity}}, {{form.project}}',
    ),
  values: z
    .looseObject({
      projects: z
        .array(
          z.looseObject({
            key: word,
            name: word,
            issueTypes: choices.optional(),
            priorities: choices.optional(),
          }),
        )
        .optional()
        .describe('Jira: each with its issue types and priorities'),
      plans: z
        .array(z.looseObject({ id: word, name: word, buckets: choices.optional() }))
        .optional()
        .describe('Planner: each with its buckets'),
    })
    .optional()
    .describe('What a field offers, by its name; a field that is not here is free text'),
  linkUrl: word.describe('Page of a ticket: https://jira.example/browse/{{external_id}}'),
  statusUrl: word.describe('Webhooks: where the state of a ticket is read: https://bridge.example/{id}'),
  statuses: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('What a status of ours is called there: resolved: Ready for review'),
});

export const teamSpecSchema = z.looseObject({
  responder_clients: z
    .looseObject({
      email: client.optional(),
      jira: client.optional(),
      service_now: client.optional(),
      ca: client.optional(),
      aws_support: client.optional(),
      aws_ams_services_request: client.optional(),
      redhat: client.optional(),
      oracle: client.optional(),
      vmware: client.optional(),
      ms_planner: client.optional(),
      webhook: client.optional(),
    })
    .optional()
    .describe('How this team is called, by kind: only these are offered on an incident'),
  components: z.array(z.looseObject({})).optional().describe('Components that the team owns'),
  notifications: z.array(z.looseObject({})).optional().describe('Where the team is notified'),
});
