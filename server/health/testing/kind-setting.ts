/** For tests only: what a check kind is given, with the real guard, clock and scripts. */
import { createEgressGuard } from '../../platform/egress/egress-guard.ts';
import type { EgressGuardOptions } from '../../platform/egress/egress-guard.ts';
import { resolveBySystem } from '../../platform/egress/platform-network.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { createScriptEvaluator } from '../../platform/expressions/evaluate-script.ts';
import type { KindContext } from '../kind/check-kind.ts';
import { createSecretReader } from '../kind/secret-values.ts';

type Changes = Partial<KindContext> & { resolve?: EgressGuardOptions['resolve']; dataDir?: string };

/** An operator's check with everything allowed, unless changed. */
export function kindSetting({
  resolve = resolveBySystem,
  dataDir = '/nonexistent',
  ...changes
}: Changes = {}): KindContext {
  const evaluate = createScriptEvaluator({ now: () => nodePlatform.now(), uuid: () => nodePlatform.newId() });
  return {
    platform: nodePlatform,
    guard: createEgressGuard({ allow: [], deny: [], resolve, ownNetworks: () => [], ownDatabase: null }),
    trust: 'operator',
    author: 'operator',
    connection: async () => null,
    refuseScripts: () => undefined,
    signal: new AbortController().signal,
    isExecAllowed: true,
    secret: createSecretReader(dataDir),
    variables: {},
    template: async (template, variables) =>
      evaluate({ template }, { variables, durationNames: [], lastResult: null }).text,
    holds: async (expr, variables) =>
      evaluate({ expr }, { variables, durationNames: [], lastResult: null }).isTrue === true,
    checks: async () => [],
    catalog: async () => [],
    matching: async (pattern, names) => new Set(names.filter((name) => new RegExp(pattern).test(name))),
    ...changes,
  };
}
