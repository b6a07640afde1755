/** JSONPath over the scope of a run; filter scripts of the path language are off. */
import { JSONPath } from 'jsonpath-plus';
import type { ScriptScope } from './script.ts';

/** The one value found, or the list of them when there are several; null when there is none. */
export function evaluateJsonPath(path: string, scope: ScriptScope): unknown {
  const trimmed = path.trim();
  const bare = trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1) : trimmed;
  const rooted = bare.startsWith('$') ? bare : `$${bare.startsWith('.') ? '' : '.'}${bare}`;
  const found: unknown = JSONPath({ path: rooted, json: scope.variables, eval: false, wrap: true });
  if (!Array.isArray(found) || found.length === 0) return null;
  return found.length === 1 ? found[0] : found;
}
