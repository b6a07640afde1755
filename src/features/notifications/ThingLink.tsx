import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';

/** The page of what a notification or a silence is about; null for what has none. */
export function thingHref(kind: string | null, id: string): string | null {
  switch (kind) {
    case 'check':
      return links.check(id);
    case 'config':
      return links.config(id);
    case 'component':
      return links.component(id);
    case 'incident':
      return links.incident(id);
    case 'canary':
      return links.canarySettings(id);
    case null:
    default:
      return null;
  }
}

/** A thing by its name, leading to its page. */
export function ThingLink({ kind, id, name }: { kind: string | null; id: string; name: string }) {
  const href = thingHref(kind, id);
  return href === null ? <span>{name}</span> : <AppLink href={href}>{name}</AppLink>;
}
