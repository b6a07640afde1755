/** What a Jira offers to the form: projects with their issue types, and priorities (docs/incidents-responders.md). */
import { z } from 'zod';
import type { AdapterContext } from './adapter.ts';
import { askOutside, below, notUnderstood } from './outside-call.ts';

/** One request each: more would keep the system busy for a form that nobody scrolls through. */
const MOST_PROJECTS = 50;
const FORBIDDEN = [403, 404];

const named = z.looseObject({ id: z.coerce.string(), name: z.string() });
const projects = z.array(z.looseObject({ key: z.string(), name: z.string() }));
/** Cloud says issueTypes, Data Center values. */
const issueTypes = z
  .looseObject({ issueTypes: z.array(named).optional(), values: z.array(named).optional() })
  .transform((answer) => answer.issueTypes ?? answer.values ?? []);

interface Named {
  id: string;
  name: string;
}

export interface JiraOptions {
  projects: { key: string; name: string; issueTypes: Named[]; priorities: Named[] }[];
}

const plain = ({ id, name }: Named): Named => ({ id, name });

/** Throws where the answer isn't Jira's. */
export async function readJiraOptions(context: AdapterContext): Promise<JiraOptions> {
  const { client } = context;
  async function get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const { json } = await askOutside({ url: below(client, path) }, context);
    const read = schema.safeParse(json);
    if (!read.success) throw notUnderstood(client, 'not the shape of Jira', read.error);
    return read.data;
  }
  const priorities = (await get('/rest/api/2/priority', z.array(named))).map(plain);
  const offered: JiraOptions['projects'] = [];
  for (const { key, name } of (await get('/rest/api/2/project', projects)).slice(0, MOST_PROJECTS)) {
    const path = `/rest/api/2/issue/createmeta/${encodeURIComponent(key)}/issuetypes`;
    const question = { url: below(client, path), alsoTakes: FORBIDDEN };
    const { status, json } = await askOutside(question, context);
    const types = issueTypes.safeParse(json);
    // A project that the account may see but not write in is not offered.
    if (FORBIDDEN.includes(status) || !types.success || types.data.length === 0) continue;
    offered.push({ key, name, issueTypes: types.data.map(plain), priorities });
  }
  return { projects: offered };
}
