/** What kinds of actions fill their templates with: values, references, `env` and parameters of a run. */
import { AppError } from '../../../src/contract/errors.ts';
import type { PlaybookAction, PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { SecretScope } from '../../connections/secret-scope.ts';
import type { GivenValue, RenderContext } from '../actions/action-kind.ts';
import { repositoryOf } from './repository-variable.ts';
import type { RunScope } from './run-scope.ts';

/** Of one action of a run. */
export interface RenderSource {
  action: PlaybookAction;
  spec: PlaybookSpec;
  parameters: Readonly<Record<string, string>>;
  /** With `env` among the variables once that is known. */
  scope: (env: Record<string, string>) => RunScope;
}

function keyOf(from: unknown, name: string): { name: string; key: string } | null {
  const found = isRecord(from) ? from[name] : undefined;
  return isRecord(found) ? { name: textOf(found['name']), key: textOf(found['key']) } : null;
}

/** YAML reads `8080` and `on` as other things than the text that was meant. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Reads values, or what they refer to. */
export function valueReader(fill: RunScope['fill'], mounted: SecretScope['mounted'] | null) {
  return async (given: GivenValue): Promise<string> => {
    if (given === undefined) return '';
    if (typeof given !== 'object') return fill(String(given));
    if (given.valueFrom === undefined) return fill(textOf(given.value));
    if (mounted === null) return '***';
    const secret = keyOf(given.valueFrom, 'secretKeyRef');
    if (secret !== null) return mounted('secret', secret.name, secret.key);
    const map = keyOf(given.valueFrom, 'configMapKeyRef');
    if (map !== null) return mounted('configmap', map.name, map.key);
    throw new AppError('invalid', 'valueFrom takes secretKeyRef or configMapKeyRef on this server');
  };
}

/** A parameter's variable: `my-app` is PARAM_MY_APP. */
function parameterVariables(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      `PARAM_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`,
      value.replaceAll('\0', ''),
    ]),
  );
}

/** What conditions see of `env`: all of it that is no reference; read only where one of the texts may ask for it. */
export async function envOfConditions(
  { env = [] }: PlaybookSpec,
  texts: readonly string[],
  fill: RunScope['fill'],
): Promise<Record<string, string>> {
  const own: Record<string, string> = {};
  if (!texts.some((text) => /\benv\b/.test(text))) return own;
  const read = valueReader(fill, null);
  for (const entry of env) if (entry.valueFrom === undefined) own[entry.name] = await read(entry);
  return own;
}

/** What a kind fills its templates with; `mounted` null reads no references. */
export async function renderContextOf(
  { action, spec, parameters, scope }: RenderSource,
  mounted: SecretScope['mounted'] | null,
): Promise<RenderContext> {
  const read = valueReader(scope({}).fill, mounted);
  const own: Record<string, string> = {};
  for (const entry of spec.env ?? []) own[entry.name] = await read(entry);
  const before = scope(own);
  const git = await repositoryOf(action, before.fill);
  const { fill, pieces, variables } = git === null ? before : before.with({ git });
  const env = { ...parameterVariables(parameters), ...own };
  return { fill, pieces, variables, env, value: valueReader(fill, mounted) };
}
