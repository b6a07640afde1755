/**
 * What of a cluster is left out (schema §5.2 exclusions): by name, kind, namespace and labels, with wildcards.
 * Kinds match in any case by kind, plural, and both with their group.
 */
import { matchesList, parseMatchList } from '../../../../../src/domain/match-list.ts';
import { objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import type { Texts } from '../services/named-list.ts';
import type { ApiResource } from './api-resources.ts';

export interface ExclusionSpec {
  name?: Texts;
  kind?: Texts;
  namespace?: Texts;
  labels?: Record<string, string | number | boolean> | undefined;
}

/** Renewed every few seconds, computed on the fly, or told as changes: never items. */
const NEVER = ['events', 'events.events.k8s.io', 'leases.coordination.k8s.io', 'componentstatuses'];
const NEVER_GROUPS = new Set(['metrics.k8s.io', 'custom.metrics.k8s.io', 'external.metrics.k8s.io']);

function namesOf(resource: ApiResource): string[] {
  const kind = resource.kind.toLowerCase();
  const plural = resource.plural.toLowerCase();
  return [kind, plural, `${kind}.${resource.group}`, `${plural}.${resource.group}`];
}

export interface Exclusions {
  resource: (resource: ApiResource) => boolean;
  object: (object: Json) => boolean;
}

/** Answers what is left out. */
export function readExclusions(spec: ExclusionSpec): Exclusions {
  const kinds = namedList(spec.kind?.map((kind) => String(kind).toLowerCase()));
  const names = namedList(spec.name);
  const namespaces = namedList(spec.namespace);
  const labels = Object.entries(spec.labels ?? {}).map(
    ([key, value]) => [key, parseMatchList(String(value))] as const,
  );
  return {
    resource: (resource) => {
      const own = namesOf(resource);
      if (NEVER_GROUPS.has(resource.group)) return true;
      return own.some((name) => NEVER.includes(name) || isNamedBy(kinds, name));
    },
    object: (object) => {
      const metadata = objectAt(object, 'metadata');
      const isNamespace = object['kind'] === 'Namespace' && object['apiVersion'] === 'v1';
      const namespace = textOf(isNamespace ? metadata['name'] : metadata['namespace']);
      if (isNamedBy(names, textOf(metadata['name']))) return true;
      if (namespace !== '' && isNamedBy(namespaces, namespace)) return true;
      const own = objectAt(metadata, 'labels');
      return labels.some(([key, list]) => typeof own[key] === 'string' && matchesList(list, own[key]));
    },
  };
}
