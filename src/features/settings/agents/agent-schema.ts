/** What the form of an agent accepts: as the server does (contract §8), and what its install text is made of. */
import { z } from 'zod';
import { SCRAPE_INTERVALS, USUAL_INTERVAL } from '../../../domain/agents/install-text.ts';
import { labelPairs, repeatedLabel } from '../../../ui/form/labels.ts';
import { messages } from './messages.ts';

const words = messages.form;
/** As `generateAgentSchema` of the contract. */
const NAME = /^[a-z0-9]([a-z0-9._-]{0,98}[a-z0-9])?$/i;
const MOST_PROPERTIES = 100;
const LONGEST = 1000;
/** The server's own mark on an agent's properties: not for people, and it stays. */
const TYPE = 'type';

const pair = z.object({ key: z.string(), value: z.string() });

const properties = z.array(pair).superRefine((pairs, context) => {
  const tell = (message: string) => context.addIssue({ code: 'custom', message });
  const repeated = repeatedLabel(pairs);
  if (repeated !== null) tell(words.repeated(repeated));
  if (pairs.some(({ key }) => key.trim() === TYPE)) tell(words.ownProperty);
  if (pairs.length > MOST_PROPERTIES) tell(words.tooMany);
  if (pairs.some(({ key, value }) => key.length > LONGEST || value.length > LONGEST)) tell(words.tooLong);
});

export const agentSchema = z
  .object({
    name: z.string().trim().min(1, words.required).regex(NAME, words.nameShape),
    properties,
    hasKubernetes: z.boolean(),
    interval: z.enum(SCRAPE_INTERVALS),
    hasTelemetry: z.boolean(),
    topologyName: z.string().trim().max(LONGEST, words.tooLong),
  })
  .refine(({ hasTelemetry, topologyName }) => !hasTelemetry || topologyName !== '', {
    path: ['topologyName'],
    message: words.required,
  });
export type AgentValues = z.input<typeof agentSchema>;

/** An agent's properties as the form shows them. */
export function shownProperties(properties: unknown): ReturnType<typeof labelPairs> {
  const isMap = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
  return labelPairs(isMap ? Object.fromEntries(Object.entries(properties)) : {}).filter(
    ({ key }) => key !== TYPE,
  );
}

/** What is written back: with the server's mark. */
export function writtenProperties(shown: Record<string, string>): Record<string, string> {
  return { ...shown, [TYPE]: 'agent' };
}

/** What a new agent's form begins with; an existing one's shows its name and properties. */
export function agentValues(row: { name: string; properties: unknown } | null, host: string): AgentValues {
  return {
    name: row?.name ?? '',
    properties: row === null ? [] : shownProperties(row.properties),
    hasKubernetes: false,
    interval: USUAL_INTERVAL,
    hasTelemetry: false,
    topologyName: host,
  };
}
