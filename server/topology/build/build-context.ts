/** What the parts of one run share. */
import type { PropertySpec } from '../../../src/contract/specs/topology-spec.ts';
import type { ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Draft } from './draft.ts';
import type { Lookups } from './lookups.ts';
import type { Problems } from './problems.ts';

/** A config item, as a property reads it. */
export interface FoundConfig {
  id: string;
  name: string;
  type: string | null;
  tags: unknown;
  labels: unknown;
  health: string | null;
  status: string | null;
  /** Its body. */
  config: unknown;
}

export interface BuildContext {
  lookups: Lookups;
  problems: Problems;
  expressions: Expressions;
  /** The first item that the selector means. */
  findConfig: (selector: ResourceSelector) => Promise<FoundConfig | null>;
  signal: AbortSignal;
  /** Names that templates and scripts see everywhere in the document. */
  variables: Record<string, unknown>;
  /** Properties that wait for the sums under their component. */
  summed: { draft: Draft; spec: PropertySpec; at: string }[];
  /** Counts components; false once there are too many. */
  count: (howMany: number) => boolean;
}
