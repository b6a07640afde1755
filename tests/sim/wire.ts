/** What passes between simulated devices and the server. */
export interface WireRequest {
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  setCookies: string[];
  body: string;
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, setCookies: [], body: JSON.stringify(body) };
}

/** A text event stream as it arrives. */
export interface WireStream {
  close(): void;
}

export interface StreamReader {
  onEvent(name: string, data: string): void;
  onEnd(): void;
}

/** The way to the server, or to something that stands before it. */
export interface Wire {
  request(request: WireRequest): Promise<WireAnswer>;
  /** Rejects with the answer's status when there is no stream. */
  stream(request: WireRequest, reader: StreamReader): Promise<WireStream>;
}

export const COMMANDS_PATH = '/api/sync/commands';
export const CHANGES_PATH = '/api/sync/changes';
export const SNAPSHOT_PATH = '/api/sync/snapshot';
export const SMALL_SNAPSHOTS_PATH = '/api/sync/small-snapshots';

/** The path without its query. */
export function routeOf(request: WireRequest): string {
  return new URL(request.path, 'http://any').pathname;
}
