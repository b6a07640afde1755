/**
 * What every kind of action takes and gives. A kind fills its templates (`render`) and does its work once (`run`);
 * order, conditions, time limits, storing and masking are the runner's. Invariants:
 * - What somebody typed reaches a shell, a statement or a header only as a value: a kind asks for the pieces of a
 *   template wherever text has a syntax (templates/).
 * - Calls go through `guard` alone, values of references come through `value` and `connection` alone.
 * - `run` ends soon after `signal` is aborted, with what it had started.
 */
import type { z } from 'zod';
import type { PlaybookActionName } from '../../../src/contract/specs/playbook-spec.ts';
import type { OpenConnection, SpecAuthor } from '../../connections/secret-scope.ts';
import type { EgressGuard, EgressTrust } from '../../platform/egress/egress-guard.ts';
import type { LeftFile } from '../../platform/exec/collect-files.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TemplatePiece } from '../templates/template-pieces.ts';

/** A value as specifications write it: plain, or where it is kept. */
export type GivenValue =
  | string
  | number
  | boolean
  | { name?: unknown; value?: unknown; valueFrom?: unknown }
  | undefined;

export interface RenderContext {
  /** The template with its values in it; for text without a syntax of its own. */
  fill: (template: string) => Promise<string>;
  /** The template's own text and the values apart, in order. */
  pieces: (template: string) => Promise<TemplatePiece[]>;
  /** The value, or what it refers to; '' for none. A dry run reads no references and gets `***`. */
  value: (given: GivenValue) => Promise<string>;
  /** `env` of the playbook, and each parameter as PARAM_<NAME>. */
  env: Readonly<Record<string, string>>;
  /** What templates see. */
  variables: Readonly<Record<string, unknown>>;
}

export type OutputStream = 'stdout' | 'stderr';

export interface ActionContext {
  platform: Platform;
  /** Aborted by a timeout, by a cancel, or when the server ends. */
  signal: AbortSignal;
  /** What is left of the action's time when it begins. */
  timeoutMs: number;
  /** Lines for whoever looks on; bounded and masked by the runner. Kinds without output need not call it. */
  output: (stream: OutputStream, text: string) => void;
  guard: EgressGuard;
  trust: EgressTrust;
  author: SpecAuthor;
  /** By name, id or address; null when there is none. */
  connection: (reference: string) => Promise<OpenConnection | null>;
  /** Throws when a secret was read that is granted to certain hosts only. */
  refuseScripts: () => void;
  /** The most that is kept of an output or answer. */
  maxOutputBytes: number;
  isExecAllowed: boolean;
  /** Of the run that the action belongs to, and of the action. */
  runId: string;
  actionId: string;
}

export interface ActionOutcome {
  /** Why it failed; null when it did what it should. */
  error: string | null;
  /** As schema §7.4 names the fields. */
  result: Record<string, unknown>;
  /** Kept as artifacts. */
  files?: readonly LeftFile[];
}

export interface ActionKind<
  Name extends PlaybookActionName = PlaybookActionName,
  Spec = never,
  Rendered = never,
> {
  name: Name;
  schema: z.ZodType<Spec>;
  /** Fills the templates and calls nothing; what a dry run shows, but for secrets. */
  render: (spec: Spec, context: RenderContext) => Promise<Rendered>;
  /** Throws an AppError, or answers an error with what there was until then. */
  run: (rendered: Rendered, context: ActionContext) => Promise<ActionOutcome>;
}

/** A kind whose specification was read: what the runner works with. */
export interface OpenedAction {
  /** For people, as a dry run shows it. */
  shown: object;
  run: (context: ActionContext) => Promise<ActionOutcome>;
}

/** As the registry keeps kinds: without their types, which it checks by schema. */
export interface RegisteredKind {
  name: PlaybookActionName;
  open: (spec: unknown, context: RenderContext) => Promise<OpenedAction>;
}

/** Makes a kind ready for the registry. */
export function registered<Name extends PlaybookActionName, Spec, Rendered extends object>(
  kind: ActionKind<Name, Spec, Rendered>,
): RegisteredKind {
  return {
    name: kind.name,
    async open(spec, context) {
      const rendered = await kind.render(kind.schema.parse(spec), context);
      return { shown: rendered, run: (run) => kind.run(rendered, run) };
    },
  };
}
