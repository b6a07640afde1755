/**
 * What is wrong inside a topology's specification, beyond its form: checks that it looks up or brings along, and
 * selectors that can't be read. Each is told by the path at which it stands.
 */
import type {
  ComponentSpec,
  PropertySpec,
  SpecSelector,
  TopologySpec,
} from '../../../src/contract/specs/topology-spec.ts';
import { canaryProblems } from '../../health/documents/canary-problems.ts';
import { fieldPath, type DocumentProblem } from '../../platform/yaml/document-problems.ts';
import { hasTemplates } from '../build/fill.ts';
import { selectorProblems } from '../build/selectors.ts';

type Path = readonly PropertyKey[];
type Part = Pick<
  ComponentSpec,
  'components' | 'properties' | 'selectors' | 'configs' | 'checks' | 'lookup' | 'forEach'
>;

function ofChecks(spec: object, path: Path): DocumentProblem[] {
  const at = fieldPath(path);
  return canaryProblems({ spec: { ...spec, schedule: '@never' } }).map(({ field, message }) => ({
    field: field.replace(/^spec/, at),
    message,
  }));
}

const ofSelector = (selector: SpecSelector, path: Path): DocumentProblem[] =>
  hasTemplates(selector) ? [] : selectorProblems(selector, path);

const ofSelectors = (selectors: readonly SpecSelector[] | undefined, path: Path): DocumentProblem[] =>
  (selectors ?? []).flatMap((selector, at) => ofSelector(selector, [...path, at]));

function ofProperty({ lookup, configLookup }: PropertySpec, path: Path): DocumentProblem[] {
  const selector = configLookup?.config;
  return [
    ...(lookup === undefined ? [] : ofChecks(lookup, [...path, 'lookup'])),
    ...(selector === undefined ? [] : ofSelector(selector, [...path, 'configLookup', 'config'])),
  ];
}

function ofPart(part: Part, path: Path): DocumentProblem[] {
  const { components = [], properties = [], selectors, configs, checks = [], lookup, forEach } = part;
  return [
    ...(lookup === undefined ? [] : ofChecks(lookup, [...path, 'lookup'])),
    ...properties.flatMap((property, at) => ofProperty(property, [...path, 'properties', at])),
    ...ofSelectors(selectors, [...path, 'selectors']),
    ...ofSelectors(configs, [...path, 'configs']),
    ...checks.flatMap(({ selector, inline }, at) => [
      ...(selector === undefined ? [] : ofSelector(selector, [...path, 'checks', at, 'selector'])),
      ...(inline === undefined ? [] : ofChecks(inline, [...path, 'checks', at, 'inline'])),
    ]),
    ...(forEach === undefined ? [] : ofPart(forEach, [...path, 'forEach'])),
    ...components.flatMap((component, at) => ofPart(component, [...path, 'components', at])),
  ];
}

/** None when all of it can be run, or at least be kept. */
export function nestedProblems(spec: TopologySpec): DocumentProblem[] {
  const { components, properties, configs, groupBy } = spec;
  return [
    ...ofPart({ components, properties, configs }, ['spec']),
    ...(groupBy?.selector === undefined ? [] : ofSelector(groupBy.selector, ['spec', 'groupBy', 'selector'])),
  ];
}
