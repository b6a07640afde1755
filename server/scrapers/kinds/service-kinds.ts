/** The kinds that speak to services, by their real clients or over the guarded HTTP. */
import type { ScraperKind } from '../scraped.ts';
import { githubActionsKind } from './github-actions/github-actions-kind.ts';
import { kubernetesKind } from './kubernetes/kubernetes-kind.ts';

export const SERVICE_KINDS: readonly ScraperKind[] = [kubernetesKind, githubActionsKind];
