/** For tests only: runs one action by itself, with one value in its templates. */
import type { OpenConnection } from '../../../connections/secret-scope.ts';
import { createServerGuard } from '../../../platform/egress/server-guard.ts';
import { nodePlatform } from '../../../platform/platform.ts';
import type { TemplatePiece } from '../../templates/template-pieces.ts';
import type { ActionContext, ActionOutcome, RegisteredKind, RenderContext } from '../action-kind.ts';

/** Where the value stands in a template. */
export const HOLE = '{{.x}}';

/** Templates with one value, which stands where `{{.x}}` does. */
function renderContext(value: string): RenderContext {
  return {
    fill: (template) => Promise.resolve(template.replaceAll(HOLE, () => value)),
    pieces: (template) =>
      Promise.resolve(
        template
          .split(HOLE)
          .flatMap((text, at): TemplatePiece[] => [
            ...(at === 0 ? [] : [{ kind: 'value' as const, value }]),
            ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
          ]),
      ),
    value: (given) => Promise.resolve(typeof given === 'string' ? given : ''),
    env: {},
    variables: {},
  };
}

export interface ActionTry {
  /** What is put in. */
  value?: string;
  /** Places that may be called. */
  allow?: string[];
  connection?: Partial<OpenConnection>;
  more?: Partial<ActionContext>;
}

/** Answers how the action ended; its lines go to `more.output`. */
export async function performAlone(
  kind: RegisteredKind,
  spec: object,
  { value = '', allow = ['127.0.0.1'], connection = {}, more = {} }: ActionTry = {},
): Promise<ActionOutcome> {
  const context: ActionContext = {
    platform: nodePlatform,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    output: () => undefined,
    guard: createServerGuard({ egressAllow: allow, egressDeny: [], databaseUrl: null }),
    trust: 'user',
    author: 'user',
    connection: () =>
      Promise.resolve({
        type: '',
        url: '',
        username: '',
        password: '',
        certificate: '',
        isInsecureTls: false,
        properties: {},
        ...connection,
      }),
    refuseScripts: () => undefined,
    maxOutputBytes: 1_000_000,
    isExecAllowed: false,
    runId: '0190f0e0-0000-7000-8000-000000000001',
    actionId: '0190f0e0-0000-7000-8000-000000000002',
    ...more,
  };
  return (await kind.open(spec, renderContext(value))).run(context);
}
