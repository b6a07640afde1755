/** The n-th of ids that look like the app's own. */
export function guid(n: number): string {
  return `0192d5a4-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}
