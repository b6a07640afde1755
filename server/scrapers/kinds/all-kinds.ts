/**
 * The kinds of scrapers that this server runs, by their key in a specification. A kind that is not here is
 * refused in the run's job history while the rest of the specification runs.
 */
import type { ScraperKind } from '../scraped.ts';
import { githubActionsKind } from './github-actions/github-actions-kind.ts';
import { kubernetesKind } from './kubernetes/kubernetes-kind.ts';

const ALL: readonly ScraperKind[] = [kubernetesKind, githubActionsKind];

export const SCRAPER_KINDS: ReadonlyMap<string, ScraperKind> = new Map(ALL.map((kind) => [kind.kind, kind]));
