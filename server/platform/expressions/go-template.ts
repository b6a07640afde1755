/**
 * Go templates, as much of the language as specifications use. Written here because no kept library speaks it.
 * Bounded in output and steps; names are looked up as own properties only.
 */
import { TEMPLATE_FUNCTIONS, isTruthy } from './go-template-functions.ts';
import type { TemplateFunction } from './go-template-functions.ts';
import { parseTemplate } from './go-template-parse.ts';
import type { Operand, Pipeline, TemplateNode } from './go-template-syntax.ts';
import { RUN_FUNCTIONS } from './run-functions.ts';
import { goDuration, humanDuration, textOf } from './humanize.ts';
import type { ScriptScope } from './script.ts';

const MAX_OUTPUT = 1024 * 1024;
const MAX_STEPS = 200_000;

interface Frame {
  dot: unknown;
  variables: Map<string, unknown>;
  run: {
    output: string;
    steps: number;
    functions: ReadonlyMap<string, TemplateFunction>;
    mark: string | undefined;
  };
}

/** `.Files` finds `files`: specifications were written against Go structs whose JSON names are lower case. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  const lower = name.toLowerCase();
  const key = Object.keys(value).find((candidate) => candidate.toLowerCase() === lower);
  return key === undefined ? null : Reflect.get(value, key);
}

const follow = (value: unknown, fields: readonly string[]) => fields.reduce<unknown>(fieldOf, value);

function callFunction(frame: Frame, operand: Operand & { kind: 'function' }, values: unknown[]): unknown {
  const full = [operand.name, ...operand.fields].join('.');
  const whole = frame.run.functions.get(full);
  if (whole !== undefined) return whole(...values);
  const plain = frame.run.functions.get(operand.name);
  if (plain === undefined) throw new Error(`the function "${full}" is not known`);
  return follow(plain(...values), operand.fields);
}

function valueOf(frame: Frame, operand: Operand): unknown {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'dot':
      return follow(frame.dot, operand.fields);
    case 'variable':
      if (!frame.variables.has(operand.name)) throw new Error(`the variable ${operand.name} is not known`);
      return follow(frame.variables.get(operand.name), operand.fields);
    case 'function':
      return callFunction(frame, operand, []);
    case 'group':
      return follow(pipe(frame, operand.pipeline), operand.fields);
  }
}

function pipe(frame: Frame, pipeline: Pipeline): unknown {
  let value: unknown = null;
  for (const [at, command] of pipeline.commands.entries()) {
    frame.run.steps += 1;
    if (frame.run.steps > MAX_STEPS) throw new Error('the template takes too many steps');
    const [first, ...rest] = command;
    const values = rest.map((operand) => valueOf(frame, operand));
    if (at > 0) values.push(value);
    if (first?.kind === 'function') value = callFunction(frame, first, values);
    else if (first === undefined || values.length > 0) throw new Error('only functions take arguments');
    else value = valueOf(frame, first);
  }
  return value;
}

function write(frame: Frame, text: string): void {
  frame.run.output += text;
  if (frame.run.output.length > MAX_OUTPUT) throw new Error('the output of the template is too long');
}

/** What was put in, told apart from the template's own text. */
function marked(text: string, mark: string | undefined): string {
  return mark === undefined ? text : `\0${mark}:${Buffer.from(text).toString('base64')}\0`;
}

function declare(frame: Frame, pipeline: Pipeline, values: unknown[]): void {
  const offset = values.length - pipeline.variables.length;
  for (const [at, name] of pipeline.variables.entries())
    frame.variables.set(name, values[at + Math.max(0, offset)]);
}

function renderRange(frame: Frame, node: TemplateNode & { kind: 'range' }): void {
  const list = pipe(frame, node.pipeline);
  const entries: [unknown, unknown][] = Array.isArray(list)
    ? [...list.entries()]
    : Object.entries(typeof list === 'object' && list !== null ? list : {}).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      );
  if (entries.length === 0) render(frame, node.otherwise);
  for (const [key, value] of entries) {
    const inner = { ...frame, dot: value };
    declare(inner, node.pipeline, [key, value]);
    render(inner, node.body);
  }
}

function renderNode(frame: Frame, node: TemplateNode): void {
  if (node.kind === 'text') {
    write(frame, node.text);
  } else if (node.kind === 'range') {
    renderRange(frame, node as TemplateNode & { kind: 'range' });
  } else if (node.kind === 'action') {
    const value = pipe(frame, node.pipeline);
    if (node.pipeline.variables.length > 0) declare(frame, node.pipeline, [value]);
    else write(frame, marked(textOf(value), frame.run.mark));
  } else {
    const value = pipe(frame, node.pipeline);
    declare(frame, node.pipeline, [value]);
    const inner = node.kind === 'with' && isTruthy(value) ? { ...frame, dot: value } : frame;
    render(inner, isTruthy(value) ? node.body : node.otherwise);
  }
}

function render(frame: Frame, nodes: readonly TemplateNode[]): void {
  for (const node of nodes) renderNode(frame, node);
}

/** The template's output; throws with a one-line reason. */
export function evaluateGoTemplate(template: string, scope: ScriptScope, now: () => number): string {
  const dot = { ...scope.variables };
  for (const name of scope.durationNames) {
    const ms = dot[name];
    if (typeof ms === 'number') dot[name] = goDuration(ms);
  }
  const functions = new Map(TEMPLATE_FUNCTIONS);
  functions.set('last_result', () => scope.lastResult ?? { results: {} });
  functions.set('humanizeTime', (time) => `${humanDuration(now() - Date.parse(textOf(time)))} ago`);
  const actions = scope.actions ?? [];
  for (const [name, run] of Object.entries(RUN_FUNCTIONS))
    functions.set(name, (...values) => run(actions, ...values));
  const frame: Frame = {
    dot,
    variables: new Map<string, unknown>([['$', dot]]),
    run: { output: '', steps: 0, functions, mark: scope.mark },
  };
  render(frame, parseTemplate(template));
  return frame.run.output;
}
