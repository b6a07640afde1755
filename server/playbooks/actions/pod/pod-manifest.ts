/**
 * The pod of an action from its specification. What was put in by a template stays a value: a text of the manifest is one
 * text whatever is in it, and where a shell of a container would read it, it arrives as a variable of the environment.
 */
import { dirname, posix } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { isRecord, recordOf } from '../../../../src/lib/is-record.ts';
import { shellText } from '../../templates/shell-text.ts';
import type { TemplatePiece } from '../../templates/template-pieces.ts';
import type { RenderContext } from '../action-kind.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

export type Json = Record<string, unknown>;

/** Runs beside the others where files are wanted, and holds what they leave. */
export const KEEPER = 'holdfast-artifacts';
const KEEPER_IMAGE = 'busybox:stable';
const SHELL = /(^|\/)(ba|da|a|z|k)?sh$/;
const INTERPRETER = /(^|\/)(python[\d.]*|node|deno|bun|perl|ruby|php|lua|pwsh|powershell|awk|gawk|mawk|sed)$/;
const CODE_FLAG = /^(-[A-Za-z]*[cer]|--?(eval|exec|command|execute|Command))$/;

const recordsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textsOf = (value: unknown): string[] | null =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null;

/** Which syntax an element of a command has. */
function syntaxOf(words: readonly string[], at: number, hasCommand: boolean): 'shell' | 'code' | 'text' {
  const before = words.slice(0, at);
  if (at === 0 && hasCommand) return 'code';
  const last = before.at(-1) ?? '';
  if (before.some((word) => INTERPRETER.test(word)))
    return CODE_FLAG.test(last) || INTERPRETER.test(last) ? 'code' : 'text';
  const isAfterFlag = /^-[A-Za-z]*c$/.test(last);
  if (!isAfterFlag) return 'text';
  return before.some((word) => SHELL.test(word)) || !hasCommand ? 'shell' : 'text';
}

/** Text in which the cluster itself puts variables in for `$(NAME)`: a value names none. */
function expandable(pieces: readonly TemplatePiece[]): string {
  let text = '';
  for (const piece of pieces) {
    const isReference = piece.kind === 'value' && /\$(?:\([^)]*)?$/.test(text.replaceAll('$$', ''));
    if (isReference)
      throw new AppError('invalid', 'pod.spec: a value may not stand where it would name a variable');
    text += piece.kind === 'value' ? piece.value.replaceAll('$', '$$$$') : piece.text;
  }
  return text;
}

/** The words of a command, and the variables that they read. */
async function commandOf(words: readonly string[], hasCommand: boolean, context: RenderContext) {
  const env: Record<string, string> = {};
  const filled: string[] = [];
  for (const [at, word] of words.entries()) {
    const pieces = await context.pieces(word);
    const hasValue = pieces.some(({ kind }) => kind === 'value');
    const syntax = hasValue ? syntaxOf(words, at, hasCommand) : 'text';
    if (syntax === 'code')
      throw new AppError(
        'invalid',
        `pod.spec: "${word.slice(0, 100)}" is a program; give what was typed to it as a variable of env`,
      );
    if (syntax === 'text') filled.push(expandable(pieces));
    else {
      const { script, env: own } = shellText(pieces);
      // Two scripts of one container have different variables.
      const named = Object.keys(own).reduce(
        (text, name) => text.replaceAll(`\${${name}}`, () => `\${H${at}_${name}}`),
        script,
      );
      filled.push(named);
      for (const [name, value] of Object.entries(own)) env[`H${at}_${name}`] = value.replaceAll('$', '$$$$');
    }
  }
  return { filled, env };
}

/** Every text filled; commands outside of containers (probes, hooks) take no values that a shell would read. */
async function filledOf(value: unknown, context: RenderContext): Promise<unknown> {
  if (typeof value === 'string') return context.fill(value);
  if (Array.isArray(value)) return Promise.all(value.map((one) => filledOf(one, context)));
  if (!isRecord(value)) return value;
  const filled: Json = {};
  for (const [key, one] of Object.entries(value)) {
    const words = key === 'command' ? textsOf(one) : null;
    if (words === null) filled[key] = await filledOf(one, context);
    else {
      const { filled: own, env } = await commandOf(words, true, context);
      if (Object.keys(env).length > 0)
        throw new AppError('invalid', 'pod.spec: a probe or hook takes no values in its script');
      filled[key] = own;
    }
  }
  return filled;
}

const filledRecord = async (value: Json, context: RenderContext): Promise<Json> =>
  recordOf(await filledOf(value, context));

async function containerOf(container: Json, context: RenderContext): Promise<Json> {
  const { command, args, ...rest } = container;
  const [own, more] = [textsOf(command ?? []), textsOf(args ?? [])];
  if (own === null || more === null)
    throw new AppError('invalid', 'pod.spec.containers: command and args are lists of texts');
  const { filled, env } = await commandOf([...own, ...more], own.length > 0, context);
  const { env: given, ...others } = rest;
  const made = await filledRecord(others, context);
  const variables: Json[] = [];
  for (const entry of recordsOf(given)) {
    const { value, ...more } = await filledRecord(entry, context);
    const { value: template } = entry;
    variables.push(
      typeof template === 'string'
        ? { ...more, value: expandable(await context.pieces(template)) }
        : { ...more, ...(value === undefined ? {} : { value }) },
    );
  }
  variables.push(...Object.entries(env).map(([name, value]) => ({ name, value })));
  return {
    ...made,
    ...(own.length > 0 ? { command: filled.slice(0, own.length) } : {}),
    ...(more.length > 0 ? { args: filled.slice(own.length) } : {}),
    ...(variables.length > 0 ? { env: variables } : {}),
  };
}

/** The specification with its templates filled. */
export async function podSpecOf(spec: Json, context: RenderContext): Promise<Json> {
  const { containers, initContainers, ...rest } = spec;
  const own = recordsOf(containers);
  if (own.length === 0) throw new AppError('invalid', 'pod.spec.containers: name at least one container');
  const filled = await filledRecord(rest, context);
  const policy = filled['restartPolicy'] ?? 'Never';
  if (policy !== 'Never')
    throw new AppError('invalid', 'pod.spec.restartPolicy: must be Never: an action runs once');
  const all = async (list: readonly Json[]) => {
    const made: Json[] = [];
    for (const one of list) made.push(await containerOf(one, context));
    return made;
  };
  const first = recordsOf(initContainers);
  return {
    ...filled,
    restartPolicy: policy,
    containers: await all(own),
    ...(first.length > 0 ? { initContainers: await all(first) } : {}),
  };
}

/** A folder of the containers that outlives them, where files are left; none where it is mounted already. */
function mountsOf(containers: readonly Json[], folder: string): { mount: Json; isNew: boolean } {
  for (const container of containers)
    for (const mount of recordsOf(container['volumeMounts'])) {
      const { mountPath } = mount;
      if (typeof mountPath === 'string' && `${folder}/`.startsWith(`${trimEnd(mountPath, '/')}/`))
        return { mount, isNew: false };
    }
  return { mount: { name: '', mountPath: folder }, isNew: true };
}

/** Adds what keeps the files until they are read. */
export function withKeeper(spec: Json, paths: readonly string[]): Json {
  if (paths.length === 0) return spec;
  const containers = recordsOf(spec['containers']);
  const mounts = new Map<string, { mount: Json; isNew: boolean }>();
  for (const path of paths) {
    const folder = dirname(posix.normalize(path));
    if (!path.startsWith('/') || /[*?[\]]/.test(path) || folder === '/')
      throw new AppError(
        'invalid',
        `pod.artifacts.path: "${path}" must be /dev/stdout or the whole path of a file in a folder, without wildcards`,
      );
    mounts.set(folder, mountsOf(containers, folder));
  }
  const all = [...mounts.values()].map(({ mount, isNew }, at) => ({
    mount: isNew ? { ...mount, name: `${KEEPER}-${at}` } : mount,
    isNew,
  }));
  const made = all.filter(({ isNew }) => isNew).map(({ mount }) => mount);
  const keeper = {
    name: KEEPER,
    image: KEEPER_IMAGE,
    command: ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 1; done'],
    volumeMounts: [...new Map(all.map(({ mount }) => [mount['mountPath'], mount])).values()],
  };
  return {
    ...spec,
    volumes: [...recordsOf(spec['volumes']), ...made.map(({ name }) => ({ name, emptyDir: {} }))],
    containers: [
      ...containers.map((one) => ({ ...one, volumeMounts: [...recordsOf(one['volumeMounts']), ...made] })),
      keeper,
    ],
  };
}
