import {
  IconBox,
  IconBrandAws,
  IconBrandAzure,
  IconBrandGithub,
  IconDatabase,
  IconFile,
  IconFileCode,
  IconPuzzle,
  IconShieldCheck,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import { lookupTable } from '../../lib/lookup-table.ts';

const ICONS = lookupTable<Icon>({
  kubernetes: IconBox,
  kubernetesFile: IconFileCode,
  azure: IconBrandAzure,
  azureDevops: IconBrandAzure,
  aws: IconBrandAws,
  sql: IconDatabase,
  trivy: IconShieldCheck,
  file: IconFile,
  githubActions: IconBrandGithub,
  http: IconWorld,
});

/** What kind of scraper it is. Decorative: the kind's word is in its title. */
export function ScraperIcon({ kind, size = 16 }: { kind: string; size?: number }) {
  const Shape = ICONS[kind] ?? IconPuzzle;
  return <Shape size={size} stroke={1.6} aria-hidden />;
}
