/**
 * What an outside system that responders work in can be asked to do. One adapter a kind of system; it knows that
 * system's words and nothing of the database, of schedules or retries. Every function may be called again after an
 * answer that was lost, and throws OutsideFailure with words that a user can act on.
 */
import type { EgressGuard } from '../../../platform/egress/egress-guard.ts';
import type { MailTransport } from '../../../platform/mail/mail-transport.ts';

/** How far a ticket is there, in our words (spec 3 §4: Created, Acknowledged, Resolved, Closed). */
export type Phase = 'created' | 'acknowledged' | 'resolved' | 'closed';

export interface IncidentFacts {
  id: string;
  /** INC-17 */
  number: string;
  title: string;
  description: string;
  severity: string;
  type: string;
  status: string;
  /** Where people open it here. */
  url: string;
}

/** A responder as outside systems are told of him. */
export interface Call {
  /** The same for every attempt: by this a call is found again. */
  responderId: string;
  responderType: string;
  /** What was filled in, templates and the team's defaults included. */
  fields: Readonly<Record<string, string>>;
  incident: IncidentFacts;
}

export interface Remote {
  /** How the system itself knows it; what later calls name. */
  key: string;
  /** What people call it. */
  externalId: string | null;
  url: string | null;
  /** In the system's own word, where it told. */
  status: string | null;
}

export interface OutgoingComment {
  id: string;
  author: string;
  text: string;
}

/** Something that is told in our own words. */
export interface News {
  /** The same for every attempt to tell it. */
  id: string;
  /** An earlier attempt may have told it, and only its answer was lost. */
  isRepeated: boolean;
}

export interface StatusNews extends News {
  status: string;
}

export interface RemoteComment {
  id: string;
  author: string;
  text: string;
}

export interface RemoteState {
  /** In the system's own word. */
  status: string | null;
  /** Null when the word says nothing to us. */
  phase: Phase | null;
  /** The oldest first. */
  comments: readonly RemoteComment[];
}

export interface Adapter {
  /** A call that was made though its answer never came; null when there is none, or the system can't tell. */
  find(call: Call): Promise<Remote | null>;
  create(call: Call): Promise<Remote>;
  /** Answers the comment's id there; null where it has none. */
  addComment(call: Call, key: string, comment: OutgoingComment): Promise<string | null>;
  /** Answers the id of the comment that says so; null where none was made. */
  setStatus(call: Call, key: string, news: StatusNews): Promise<string | null>;
  /** Nobody there is needed any more; answers as setStatus. */
  remove(call: Call, key: string, news: News): Promise<string | null>;
  /** Null where nothing can be read. */
  read: ((call: Call, key: string) => Promise<RemoteState>) | null;
  /** What its form offers; null where it has no lists. */
  options: (() => Promise<unknown>) | null;
}

/** A team's client with its references resolved (docs/incidents-responders.md). */
export interface Client {
  /** Key below responder_clients: what messages name. */
  name: string;
  url: string;
  username: string;
  password: string;
  /** Bearer token. */
  token: string;
  /** Signs what webhooks are sent. */
  secret: string;
  /** Where the state of a webhook's ticket is read; `{id}` is filled in. */
  statusUrl: string;
  /** Our status → what it is called there. */
  statuses: Readonly<Record<string, string>>;
  linkUrl: string;
  isInsecureTls: boolean;
}

export interface AdapterContext {
  client: Client;
  guard: EgressGuard;
  signal: AbortSignal;
  now: () => number;
  /** Null where no mail can be sent. */
  mail: Pick<MailTransport, 'send' | 'isFile'> | null;
}
