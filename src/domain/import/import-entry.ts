/** What the monitors of another program become here, before anybody keeps them. */

export interface ImportEntry {
  name: string;
  /** Null where the file names none. */
  namespace: string | null;
  labels: Record<string, string>;
  /** Of a canary's document, such as that it is suspended. */
  annotations?: Record<string, string>;
  /** A canary's specification; null where there is nothing like it here. */
  spec: Record<string, unknown> | null;
  /** What is left out, or why there is no specification; in sentences. */
  notes: string[];
}

/** One check of a kind, with what could not be taken over. */
export interface MappedCheck {
  kind: string;
  check: Record<string, unknown>;
  notes: string[];
}

/** Longer files are no lists of monitors. */
export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_ENTRIES = 2000;

/** The entry of a check; with a text instead, that is why there is none. */
export function entryOf(
  about: { name: string; labels?: Record<string, string>; schedule: string | null },
  mapped: MappedCheck | string,
): ImportEntry {
  const { name, labels = {}, schedule } = about;
  if (typeof mapped === 'string') return { name, namespace: null, labels, spec: null, notes: [mapped] };
  const { kind, check, notes } = mapped;
  const when = schedule === null ? {} : { schedule };
  return { name, namespace: null, labels, spec: { ...when, [kind]: [{ name, ...check }] }, notes };
}

/** `@every 90s`; null for what is no interval of whole seconds. */
export function everySeconds(seconds: number | null | undefined): string | null {
  return seconds === null || seconds === undefined || !(seconds >= 1)
    ? null
    : `@every ${Math.round(seconds)}s`;
}

/** `host:port`, with brackets around an IPv6 address. */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}
