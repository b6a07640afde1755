/** Which backends a question goes to: those whose routes fit, and those that have none. */
import type { LogBackendSpec } from '../../src/contract/specs/log-backend-spec.ts';
import { matchesList, parseMatchList } from '../../src/domain/match-list.ts';
import type { LogQuestion } from './backends/log-backend.ts';

type Asked = Pick<LogQuestion, 'id' | 'type' | 'labels'>;

/** Whether this backend has the logs of that selector. */
export function isRoutedTo(
  { routes = [] }: Pick<LogBackendSpec, 'routes'>,
  { id, type, labels }: Asked,
): boolean {
  if (routes.length === 0) return true;
  return routes.some((route) => {
    if (route.idPrefix !== undefined && !id.startsWith(route.idPrefix)) return false;
    if (route.type !== undefined && !matchesList(parseMatchList(route.type), type)) return false;
    return Object.entries(route.labels ?? {}).every(([name, wanted]) =>
      matchesList(parseMatchList(String(wanted)), labels[name]),
    );
  });
}
