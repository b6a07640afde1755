/** The one thing that a run is about, as it is called and where it is found. */
import type { PlaybookResource, RunListRow } from '../../contract/http/playbooks/playbooks.ts';
import { links } from '../../domain/links.ts';

export interface NamedResource extends PlaybookResource {
  name: string;
  href: string;
  type: string | null;
}

const HREFS = { config: links.config, component: links.component, check: links.check } as const;

/** Where a thing's page is. */
export function resourceHref({ kind, id }: PlaybookResource): string {
  return HREFS[kind](id);
}

/** What a run is about; null for one that is about nothing, or about what is gone. */
export function resourceOf(run: Pick<RunListRow, 'config' | 'component' | 'check'>): NamedResource | null {
  for (const kind of ['config', 'component', 'check'] as const) {
    const found = run[kind];
    if (found === null || found === undefined) continue;
    const { id, name, type } = found;
    return { kind, id, name: name ?? id, type: type ?? null, href: HREFS[kind](id) };
  }
  return null;
}
