/** The kinds that speak to services, by their real clients or over the guarded HTTP, and those that are refused. */
import type { ScraperKind } from '../specs/scraped.ts';
import { awsKind } from './aws/aws-kind.ts';
import { azureKind } from './azure/azure-kind.ts';
import { azureDevopsKind } from './azure-devops/azure-devops-kind.ts';
import { githubActionsKind } from './github-actions/github-actions-kind.ts';
import { kubernetesKind } from './kubernetes/kubernetes-kind.ts';
import { kubernetesFileKind } from './kubernetes-file/kubernetes-file-kind.ts';
import { REFUSED_KINDS } from './refused-kinds.ts';
import { createTrivyKind } from './trivy/trivy-kind.ts';

export const SERVICE_KINDS: readonly ScraperKind[] = [
  kubernetesKind,
  kubernetesFileKind,
  githubActionsKind,
  awsKind,
  createTrivyKind('trivy'),
  azureKind,
  azureDevopsKind,
  ...REFUSED_KINDS,
];
