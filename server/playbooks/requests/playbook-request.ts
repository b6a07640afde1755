/** Bodies and queries of the playbook calls (contract §7). */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { PlaybookParameter } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookResource } from './playbook-query.ts';

const id = z.guid({ error: 'must be an id' }).nullish().or(z.literal(''));

export const targetSchema = z.object({ config_id: id, component_id: id, check_id: id });
export const runSchema = targetSchema.extend({
  id: z.guid({ error: 'must be the id of a playbook' }),
  agent_id: id,
  params: z.record(z.string().max(256), z.string({ error: 'must be a text' })).nullish(),
  /** What was typed to confirm a dangerous one. */
  confirm: z.string({ error: 'must be a text' }).max(2000).nullish(),
});
export const dryRunSchema = runSchema.omit({ id: true, confirm: true });
export const paramsSchema = targetSchema.extend({
  id,
  params: z.record(z.string().max(256), z.unknown()).nullish(),
});

export interface Target {
  kind: PlaybookResource;
  id: string;
  /** What templates call it. */
  word: 'config' | 'component' | 'check';
}

/** The one resource that a request is about; null when it is about none. */
export function targetOf(request: z.output<typeof targetSchema>): Target | null {
  const given: Target[] = [];
  if (request.config_id) given.push({ kind: 'configs', id: request.config_id, word: 'config' });
  if (request.component_id) given.push({ kind: 'components', id: request.component_id, word: 'component' });
  if (request.check_id) given.push({ kind: 'checks', id: request.check_id, word: 'check' });
  if (given.length > 1) {
    throw new AppError('invalid', 'give only one of config_id, component_id and check_id');
  }
  return given[0] ?? null;
}

/** Refuses parameters that the playbook does not know, and their absence where it requires them. */
export function checkParameters(
  known: readonly PlaybookParameter[],
  given: Readonly<Record<string, string>>,
): void {
  const names = new Set(known.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new AppError('invalid', `params: unknown parameter ${unknown.join(', ')}`);
  const missing = known.filter(
    ({ name, required, default: value = '' }) =>
      required === true && (Object.hasOwn(given, name) ? given[name] : value) === '',
  );
  if (missing.length > 0) {
    throw new AppError('invalid', `params: ${missing.map(({ name }) => name).join(', ')} must be given`);
  }
}
