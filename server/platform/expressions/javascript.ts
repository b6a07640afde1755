/**
 * JavaScript of specifications, in QuickJS compiled to WebAssembly: no access to Node, bounded memory, stack and
 * steps. Underscore is there as `_`, since specifications have always used it, and `k8s` makes components of a cluster's
 * objects.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getQuickJS } from 'quickjs-emscripten';
import type { QuickJSContext, QuickJSRuntime } from 'quickjs-emscripten';
import { clusterTopology } from './cluster-topology.ts';
import type { ScriptScope } from './script.ts';

const MEMORY_BYTES = 24 * 1024 * 1024;
/** QuickJS must notice before Node's own stack runs out, for that would leave the interpreter unusable. */
const STACK_BYTES = 64 * 1024;
/** The interpreter asks every few thousand steps whether to go on; this many times is about half a second. */
const MAX_INTERRUPTS = 3000;
const NS_PER_MS = 1e6;

const quickJs = await getQuickJS();
let underscore: string | null = null;

function underscoreSource(): string {
  // The browser build: the package's entry for Node needs `require`.
  const folder = dirname(createRequire(import.meta.url).resolve('underscore'));
  underscore ??= readFileSync(join(folder, 'underscore-umd-min.js'), 'utf8');
  return underscore;
}

function bounded(): QuickJSRuntime {
  const runtime = quickJs.newRuntime();
  runtime.setMemoryLimit(MEMORY_BYTES);
  runtime.setMaxStackSize(STACK_BYTES);
  let interrupts = 0;
  runtime.setInterruptHandler(() => ++interrupts > MAX_INTERRUPTS);
  return runtime;
}

function run(context: QuickJSContext, code: string): unknown {
  const result = context.evalCode(code, 'script.js', { type: 'global', strict: false });
  if (result.error) {
    const error: unknown = context.dump(result.error);
    result.error.dispose();
    const isError = typeof error === 'object' && error !== null && 'message' in error;
    throw new Error(isError ? String(error.message) : String(error));
  }
  const value: unknown = context.dump(result.value);
  result.value.dispose();
  return value;
}

/** Values go in and out as texts: nothing of this process is within reach of the script. */
function giveCluster(context: QuickJSContext): void {
  const make = context.newFunction('clusterTopology', (kind, results) => {
    const found = clusterTopology(
      context.getString(kind) === 'node' ? 'node' : 'pod',
      JSON.parse(context.getString(results)),
    );
    return context.newString(JSON.stringify(found));
  });
  context.setProp(context.global, '__cluster', make);
  make.dispose();
  run(
    context,
    `(function (make) {
      function of(kind) { return function (results) { return JSON.parse(make(kind, JSON.stringify(results || []))); }; }
      globalThis.k8s = { getNodeTopology: of('node'), getPodTopology: of('pod') };
      delete globalThis.__cluster; })(__cluster);`,
  );
}

/** The value of the script's last expression. Durations are numbers of nanoseconds, as they always were here. */
export function evaluateJavascript(code: string, scope: ScriptScope): unknown {
  const runtime = bounded();
  const context = runtime.newContext();
  try {
    if (code.includes('_')) run(context, underscoreSource());
    // Before the variables: one of that name is what the script means.
    if (code.includes('k8s')) giveCluster(context);
    const variables = { ...scope.variables };
    for (const name of scope.durationNames) {
      const ms = variables[name];
      if (typeof ms === 'number') variables[name] = ms * NS_PER_MS;
    }
    const names = context.newString(JSON.stringify({ variables, last: scope.lastResult ?? null }));
    context.setProp(context.global, '__scope', names);
    names.dispose();
    run(
      context,
      `(function (scope) { for (var name in scope.variables) globalThis[name] = scope.variables[name];
        globalThis.last_result = function () { return scope.last || { results: {} }; };
        delete globalThis.__scope; })(JSON.parse(__scope));`,
    );
    return run(context, code);
  } finally {
    context.dispose();
    runtime.dispose();
  }
}
