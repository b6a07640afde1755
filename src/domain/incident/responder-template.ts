/**
 * Texts with placeholders that are filled from the incident and the form: `{{incident.title}}`,
 * `{{.incident.title}}`, `${incident.title}` (contract §13). Nothing is run: a placeholder is a path through own
 * properties, and one that leads nowhere is empty. What is filled in is never read as a template again.
 */
const PLACEHOLDER = /\{\{\s*\.?([\w-]+(?:\.[\w-]+)*)\s*\}\}|\$\{\s*\.?([\w-]+(?:\.[\w-]+)*)\s*\}/g;
/** So that templates which fill each other can't grow without bound. */
const MAX_LENGTH = 20_000;

const WEB_ADDRESS = /^https?:\/\/[\p{L}\p{N}[][^\s\\<>"]*$/iu;

export type Scope = (path: readonly string[]) => unknown;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(textOf).filter(Boolean).join(', ') : '';
}

/** What a path leads to among plain values; undefined when nothing. */
export function valueAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** The text with its placeholders filled. */
export function renderTemplate(template: string, scope: Scope): string {
  return template
    .replaceAll(PLACEHOLDER, (_, braces: string | undefined, dollar: string | undefined) =>
      textOf(scope((braces ?? dollar ?? '').split('.'))),
    )
    .slice(0, MAX_LENGTH);
}

/** The page of a ticket: the team's template with its id, or what the system itself told. Web addresses only. */
export function ticketUrl(
  linkUrl: string | null,
  externalId: string | null,
  told: string | null | undefined,
): string | null {
  const filled =
    linkUrl === null || externalId === null
      ? null
      : renderTemplate(linkUrl, (path) =>
          /^(external_?id|id|key)$/i.test(path.at(-1) ?? '') ? encodeURIComponent(externalId) : undefined,
        );
  return [filled, told ?? null].find(isWebAddress) ?? null;
}

function isWebAddress(text: string | null): boolean {
  return text !== null && WEB_ADDRESS.test(text);
}
