/** Identity flows as the server answers them (contract §2.2): forms made of nodes, sessions, and refusals. */
import { z } from 'zod';
import { FLOW_KINDS } from '../../../domain/identity/flow-reaction.ts';

const messageSchema = z.object({ id: z.number(), text: z.string(), type: z.string() });
export type FlowMessage = z.output<typeof messageSchema>;

/** One part of a form; which attributes there are depends on `type`. */
export const flowNodeSchema = z.object({
  group: z.string(),
  type: z.string().default('input'),
  attributes: z.object({
    /** Of an input. */
    name: z.string().default(''),
    type: z.string().default('text'),
    value: z.unknown().optional(),
    required: z.boolean().default(false),
    disabled: z.boolean().default(false),
    autocomplete: z.string().optional(),
    pattern: z.string().optional(),
    /** Of a text node. */
    text: z
      .object({
        text: z.string(),
        context: z
          .object({ secrets: z.array(z.object({ text: z.string() })).optional() })
          .loose()
          .optional(),
      })
      .optional(),
    /** Of an image. */
    src: z.string().optional(),
    /** Of a link. */
    href: z.string().optional(),
    title: z.object({ text: z.string() }).optional(),
  }),
  messages: z.array(messageSchema).default([]),
  meta: z.object({ label: messageSchema.optional() }).default({}),
});
export type FlowNode = z.output<typeof flowNodeSchema>;

export const identityFlowSchema = z.object({
  id: z.string(),
  return_to: z.string().nullish(),
  refresh: z.boolean().optional(),
  requested_aal: z.string().nullish(),
  state: z.string().optional(),
  ui: z.object({
    action: z.string(),
    nodes: z.array(flowNodeSchema),
    messages: z.array(messageSchema).default([]),
  }),
});
export type IdentityFlow = z.output<typeof identityFlowSchema>;

/** What a page asks the identity server through the sync worker. Nothing of it is kept or queued. */
export const identityRequestSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('open'),
    kind: z.enum(FLOW_KINDS),
    query: z.record(z.string(), z.string()),
  }),
  z.object({ do: z.literal('read'), kind: z.enum(FLOW_KINDS), flowId: z.string() }),
  z.object({
    do: z.literal('submit'),
    kind: z.enum(FLOW_KINDS),
    flowId: z.string(),
    body: z.record(z.string(), z.unknown()),
  }),
  z.object({ do: z.literal('sessions') }),
  /** null ends all others. */
  z.object({ do: z.literal('revoke'), sessionId: z.string().nullable() }),
  /** The user's own access tokens, and ending one. */
  z.object({ do: z.literal('tokens') }),
  z.object({ do: z.literal('end-token'), tokenId: z.string() }),
  z.object({ do: z.literal('error'), id: z.string() }),
  z.object({ do: z.literal('options') }),
  /** A code for this screen to show, and whether somebody has confirmed it (docs/wall.md). */
  z.object({ do: z.literal('start-pairing') }),
  z.object({ do: z.literal('claim-pairing'), secret: z.string() }),
  /** Hosted mode: the organisations of whoever is signed in, making one, and working in one (contract §2.3). */
  z.object({ do: z.literal('organizations') }),
  z.object({ do: z.literal('create-organization'), name: z.string() }),
  z.object({ do: z.literal('select-organization'), organizationId: z.string() }),
]);
export type IdentityRequest = z.output<typeof identityRequestSchema>;

/** Any answer below 500, refusals included: what they mean is decided where the page is known. */
export interface IdentityAnswer {
  status: number;
  body: unknown;
}

const refusalSchema = z.object({
  error: z.object({
    id: z.string().nullish(),
    reason: z.string().nullish(),
    message: z.string().nullish(),
  }),
  redirect_browser_to: z.string().nullish(),
  use_flow_id: z.string().nullish(),
});

/** A refusal's parts; all null for a body that isn't one. */
export function readRefusal(body: unknown) {
  const parsed = refusalSchema.safeParse(body);
  if (!parsed.success) return { id: null, redirectTo: null, useFlowId: null, text: null };
  const { error, redirect_browser_to: redirectTo, use_flow_id: useFlowId } = parsed.data;
  return {
    id: error.id ?? null,
    redirectTo: redirectTo ?? null,
    useFlowId: useFlowId ?? null,
    text: error.reason ?? error.message ?? null,
  };
}

/** One of the user's own sessions (`GET /.ory/sessions`). */
export const ownSessionSchema = z.object({
  id: z.string(),
  authenticated_at: z.string().nullish(),
  expires_at: z.string().nullish(),
  authenticator_assurance_level: z.string().nullish(),
  devices: z
    .array(z.object({ ip_address: z.string().nullish(), user_agent: z.string().nullish() }))
    .nullish(),
});
export type OwnSession = z.output<typeof ownSessionSchema>;

/** One of the user's own access tokens (`GET /api/identity/tokens`); its value is told only when it is made. */
export const ownTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** What it opens; null for all that its owner may do. */
  scope: z.enum(['cluster-proxy']).nullable().catch(null),
  created_at: z.string(),
  expires_at: z.string().nullable(),
});
export type OwnToken = z.output<typeof ownTokenSchema>;
