/** An incident that devices no longer keep (closed for more than 90 days), whole, as the data API gives it. */
import { z } from 'zod';

const text = z.string();
const maybeText = z.string().nullish();
const person = z.looseObject({ id: text, name: maybeText }).nullish();

export const OLD_INCIDENT_SELECT =
  'id,incident_id,title,description,type,severity,status,created_at,resolved,closed,' +
  'commander:commander_id(id,name),' +
  'hypotheses(id,title,status,created_at,evidences(id,type,description)),' +
  'comments(id,comment,created_at,external_created_by,author:created_by(id,name))';

export const oldIncidentSchema = z.looseObject({
  id: text,
  incident_id: text,
  title: text,
  description: maybeText,
  type: text,
  severity: text,
  status: text,
  created_at: text,
  resolved: maybeText,
  closed: maybeText,
  commander: person,
  hypotheses: z.array(
    z.looseObject({
      id: text,
      title: text,
      status: maybeText,
      created_at: text,
      evidences: z.array(z.looseObject({ id: text, type: text, description: maybeText })),
    }),
  ),
  comments: z.array(
    z.looseObject({
      id: text,
      comment: text,
      created_at: text,
      external_created_by: maybeText,
      author: person,
    }),
  ),
});
export type OldIncident = z.output<typeof oldIncidentSchema>;
