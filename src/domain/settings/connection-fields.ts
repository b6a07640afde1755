/**
 * The fields that connections are made of (contract §19.8).
 * `at` is where a value is kept: a column of the connection, or `properties.<name>`. Invariant: every field is
 * kept somewhere and read back from there.
 */
export interface ConnectionField {
  at: string;
  label: string;
  kind: 'text' | 'number' | 'secret' | 'large-secret' | 'check' | 'select';
  isRequired?: boolean;
  initial?: string;
  options?: readonly string[];
}

export interface ConnectionType {
  type: string;
  title: string;
  fields: readonly ConnectionField[];
  /**
   * The address, where it is made of the other values: `{at}` stands for the value kept there, `{at?yes:no}` for one of two
   * words, `$(username)` and `$(password)` are kept as they are and filled in by whoever connects.
   */
  url?: string;
  isNotification?: boolean;
  /** Not offered for new ones; those that are there have their form. */
  isHidden?: boolean;
  /** The backend can try it (contract §10). */
  isTestable?: boolean;
}

type Extra = Partial<Omit<ConnectionField, 'at' | 'label' | 'kind'>>;
export const must: Extra = { isRequired: true };
/** A field of one line. */
export const text = (at: string, label: string, extra: Extra = {}): ConnectionField => ({
  at,
  label,
  kind: 'text',
  ...extra,
});
/** Stored as a number. */
export const number = (at: string, label: string, extra: Extra = {}): ConnectionField => ({
  at,
  label,
  kind: 'number',
  ...extra,
});
/** Kept secret, on one line. */
export const secret = (at: string, label: string, extra: Extra = {}): ConnectionField => ({
  at,
  label,
  kind: 'secret',
  ...extra,
});
/** One of `options`, `initial` where nothing was chosen. */
export const choice = (
  at: string,
  label: string,
  offer: { options: readonly string[]; initial: string },
): ConnectionField => ({ at, label, kind: 'select', isRequired: true, ...offer });

export const url = text('url', 'URL', must);
export const user = secret('username', 'Username', must);
export const password = secret('password', 'Password', must);
export const maybeUser = secret('username', 'Username');
export const maybePassword = secret('password', 'Password');
export const insecure: ConnectionField = { at: 'insecure_tls', label: 'Insecure TLS', kind: 'check' };
/** Kept secret, of several lines. */
export const certificate = (label: string, extra: Extra = {}): ConnectionField => ({
  at: 'certificate',
  label,
  kind: 'large-secret',
  ...extra,
});
export const host = text('properties.host', 'Host', must);
export const channel = text('properties.channel', 'Channel');
export const token = secret('password', 'Token', must);
export const pat = secret('password', 'Personal Access Token', must);
export const awsKeys = [
  text('properties.region', 'Region'),
  text('properties.profile', 'Profile'),
  secret('username', 'Access Key'),
  secret('password', 'Secret Key'),
  insecure,
];
