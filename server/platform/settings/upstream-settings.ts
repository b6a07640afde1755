/** What the operator sets to make this server an agent of another one (design §7, schema §8.1). */
import { z } from 'zod';
import { trimEnd } from '../../../src/lib/trim-end.ts';

export interface UpstreamSettings {
  /** Without a slash at the end. */
  url: string;
  user: string;
  password: string;
  /** The name that the token has to be of; null takes any. */
  agentName: string | null;
  /** Absent where people's calls never reach a cluster through this agent. */
  ownCluster?: OwnCluster;
}

/** The cluster of an agent: that of a kubeconfig's file, or null for the one that it runs in, if any. */
export interface OwnCluster {
  kubeconfig: string | null;
  /** What stands before the paths of a pod's account (tests). */
  accountRoot?: string;
}

const isPlainUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
};

/** Variables of an agent; none counts without UPSTREAM_URL. */
export const UPSTREAM_VARIABLES = {
  UPSTREAM_URL: z
    .string()
    .refine(isPlainUrl, 'allowed are http:// and https:// URLs without a user in them')
    .transform((url) => trimEnd(url, '/'))
    .optional(),
  UPSTREAM_USER: z.string().default('token'),
  UPSTREAM_PASSWORD: z.string().optional(),
  AGENT_NAME: z.string().optional(),
  AGENT_CLUSTER: z.enum(['true', 'false'], { error: 'allowed are true and false' }).default('true'),
  KUBECONFIG: z.string().optional(),
};
type UpstreamVariables = z.output<z.ZodObject<typeof UPSTREAM_VARIABLES>>;

/** Null for a server that is no agent; 'no-password' where it was told to be one, but has no token. */
export function upstreamSettings(known: UpstreamVariables): UpstreamSettings | 'no-password' | null {
  const { UPSTREAM_URL: url, UPSTREAM_USER: user, UPSTREAM_PASSWORD: password, AGENT_NAME: name } = known;
  if (url === undefined) return null;
  if (password === undefined) return 'no-password';
  const ownCluster = known.AGENT_CLUSTER === 'true' ? { kubeconfig: known.KUBECONFIG ?? null } : undefined;
  return { url, user, password, agentName: name ?? null, ...(ownCluster && { ownCluster }) };
}
