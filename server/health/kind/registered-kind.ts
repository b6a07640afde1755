/**
 * What a kind of check is to the rest of the server (decisions/0045): its key in documents, the schema of an entry,
 * an example, what it needs, and how it runs. Forms, JSON schemas and the table in docs/checks-kinds.md are made of it.
 */
import type { z } from 'zod';
import type { EgressTrust } from '../../platform/egress/egress-guard.ts';
import { hasScript } from '../../platform/expressions/script.ts';
import type { KindContext, KindResult } from './check-kind.ts';
import type { CommonSpec } from './spec-fields.ts';

/** What decides besides the specification whether a check can run. */
export interface RunEnvironment {
  isExecAllowed: boolean;
  trust: EgressTrust;
}

/**
 * What a kind's tests run it against: the service itself, the service's own client library over a server of the test,
 * or a server of the test that answers as the service's published interface says.
 */
export type TestedAgainst = 'real service' | 'real client over a local server' | 'stand-in';

interface KindFacts {
  /** In documents. */
  key: string;
  /** checks.type; the key unless given. */
  type?: string;
  /** Other keys that mean the same, as the product's forms write them. */
  aliases?: readonly string[];
  /** For people. */
  title: string;
  /** What has to be there for it to run, in a few words. */
  needs: string;
  testedAgainst: TestedAgainst;
  /** An entry that can be read, for forms and docs. */
  example: Readonly<Record<string, unknown>>;
  /** Names of its data that scripts see as durations (ms). */
  durations?: readonly string[];
  /** Its env takes the values by name of its canary as well. */
  takesValues?: boolean;
  /** A document has one of it, not a list. */
  isSingle?: boolean;
  /** It does not run by itself: its results are posted in. */
  isPosted?: boolean;
}

interface KindParts<Spec extends CommonSpec> extends KindFacts {
  schema: z.ZodType<Spec>;
  /** Why this server can't run it, or null; asked before any run. */
  notRun?: (spec: Spec, place: RunEnvironment) => string | null;
  run: (spec: Spec, context: KindContext) => Promise<KindResult>;
}

/** An entry that was read, with what its kind does with it. */
export interface CheckSpec {
  kind: string;
  spec: CommonSpec;
  durations: readonly string[];
  isPosted: boolean;
  notRun: (place: RunEnvironment) => string | null;
  run: (context: KindContext) => Promise<KindResult>;
}

/** As the registry keeps kinds: without the types of their specifications, which their schemas check. */
export interface CheckKind extends KindFacts {
  type: string;
  schema: z.ZodType<CommonSpec>;
  read: (raw: unknown) => { ok: true; check: CheckSpec } | { ok: false; error: z.ZodError };
}

/** A test with nothing in it judges nothing: the kind itself says then whether it passed. */
function withoutEmptyScripts<Spec extends CommonSpec>(spec: Spec): Spec {
  const kept = { ...spec };
  for (const name of ['test', 'display', 'transform'] as const) if (!hasScript(kept[name])) delete kept[name];
  return kept;
}

/** Makes a kind ready for the registry. */
export function registeredKind<Spec extends CommonSpec>(parts: KindParts<Spec>): CheckKind {
  const { schema, notRun = () => null, run, ...facts } = parts;
  return {
    ...facts,
    type: facts.type ?? facts.key,
    schema,
    read(raw) {
      const read = schema.safeParse(raw);
      if (!read.success) return { ok: false, error: read.error };
      const spec = withoutEmptyScripts(read.data);
      return {
        ok: true,
        check: {
          kind: facts.key,
          spec,
          durations: facts.durations ?? [],
          isPosted: facts.isPosted ?? false,
          notRun: (place) => notRun(spec, place),
          run: (context) => run(spec, context),
        },
      };
    },
  };
}
