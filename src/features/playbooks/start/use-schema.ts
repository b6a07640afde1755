/** The JSON schema that a code parameter's text is held against while it is typed. */
import { useQuery } from '../../../data/queries/use-query.ts';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';

/** Of this server: it has a route of its own. Whatever is elsewhere is read by the server. */
const OWN_SCHEMA = /^(?:\/api)?\/schemas\/([\w.-]+)$/;

interface SchemaQuestion {
  url: string | null;
  playbookId: string;
  /** Name of the parameter. */
  parameter: string;
}

/** `problem`: why there is none though the playbook names one; the text is still checked as its language. */
export function useSchema({ url, playbookId, parameter }: SchemaQuestion): {
  schema: unknown;
  problem: string | null;
} {
  const file = OWN_SCHEMA.exec(url ?? '')?.[1];
  const own = useQuery('spec-schema', file === undefined ? null : { file });
  const isElsewhere = url !== null && file === undefined;
  const other = useQuery('parameter-schema', isElsewhere ? { playbookId, parameter } : null);
  const { kept, error } = isElsewhere ? other : own;
  if (kept !== null) return { schema: kept.value, problem: null };
  if (error === null) return { schema: undefined, problem: null };
  const isAway = error.code === 'network' || error.code === 'timeout';
  const why = isAway ? messages.schemaAway : shared.errorText(error);
  return { schema: undefined, problem: messages.noSchema(why) };
}
