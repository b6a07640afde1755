/** Whose an object of a cluster is: the check's, the same in each of its runs. */
import { createHash } from 'node:crypto';
import { objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import type { Probe } from '../../kind/probe.ts';

/** Where objects go that name no namespace, and the label of those that the check makes. */
export function markOf(at: Probe, namespace: string | undefined): { owner: string; namespace: string } {
  const [canary, check] = [objectAt(at.variables, 'canary'), objectAt(at.variables, 'check')];
  const parts = [canary['id'], canary['namespace'], canary['name'], check['name']].map(textOf);
  const owner = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return { owner, namespace: namespace || textOf(canary['namespace']) || 'default' };
}
