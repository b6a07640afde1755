/** What the parts of the settings form share. */
import type { SessionRow } from '../queries/session-query.ts';
import type { Fields, NewCookies, Outcome, Visitor } from './flow-kind.ts';
import { MESSAGES } from './flow-messages.ts';
import type { FlowContext, FlowRow } from './flow-query.ts';
import type { KindParts } from './kind-parts.ts';
import { refreshNeeded } from './refusals.ts';

export interface SettingsView {
  flow: FlowRow;
  session: SessionRow;
}

export interface SettingsChange extends SettingsView {
  fields: Fields;
  visitor: Visitor;
}

/** The refusal that leads to showing again who one is; null while that was lately. */
export function refusalUnlessPrivileged(
  { sessions }: KindParts,
  { flow, session, visitor }: SettingsChange,
): Outcome | null {
  if (sessions.isPrivileged(session)) return null;
  return { kind: 'refused', refusal: refreshNeeded(visitor, `/profile-settings?flow=${flow.id}`) };
}

/** The form after a change that was made. */
export function saved(
  flow: FlowRow,
  made: { context?: FlowContext; cookies?: NewCookies; continueWith?: unknown[] } = {},
): Outcome {
  const { context = flow.context, cookies, continueWith } = made;
  return {
    kind: 'form',
    isAccepted: true,
    flow: { ...flow, state: 'success', context, ui: { messages: [MESSAGES.saved] } },
    ...(cookies === undefined ? {} : { cookies }),
    ...(continueWith === undefined ? {} : { continueWith }),
  };
}
