/** The syntax tree of a Go template, as its parser makes it and its evaluator walks it. */

export type Operand =
  | { kind: 'literal'; value: unknown; fields: string[] }
  | { kind: 'dot'; fields: string[] }
  | { kind: 'variable'; name: string; fields: string[] }
  | { kind: 'function'; name: string; fields: string[] }
  | { kind: 'group'; pipeline: Pipeline; fields: string[] };

export interface Pipeline {
  /** Variables that take the value: `$i, $v := …`. */
  variables: string[];
  isAssignment: boolean;
  /** Each command is a function or value followed by its arguments. */
  commands: Operand[][];
}

export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'action'; pipeline: Pipeline }
  | { kind: 'if' | 'with' | 'range'; pipeline: Pipeline; body: TemplateNode[]; otherwise: TemplateNode[] };
