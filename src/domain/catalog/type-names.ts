/**
 * Types of catalog items are written `Class::Kind`. In tri-state links `::` is written `__` (contract §19.1), and a
 * type may hold `__` itself: so types are compared as links write them, and what a link said is found either way.
 */
export function comparableType(type: string): string {
  return type.replaceAll('::', '__').toLowerCase();
}

/** The part before the first `::` (spec 2 §3): the provider, or class. */
export function classOfType(type: string): string {
  const end = type.indexOf('::');
  return end < 0 ? type : type.slice(0, end);
}

/** The part after the class, which tells types of one class apart. */
export function shortType(type: string): string {
  const end = type.indexOf('::');
  return end < 0 ? type : type.slice(end + 2);
}
