/**
 * A playbook that is marked as dangerous is run by hand only with the name of what it runs on. The dialog asks for it and
 * the server holds it against what is there, by the same rule.
 */

/** The name to type: of the resource, else of the playbook itself; of what has no name its id. */
export function nameToType(subject: { id: string; name?: unknown }): string {
  const name = typeof subject.name === 'string' ? subject.name.trim() : '';
  return name === '' ? subject.id : name;
}

/** Whether it was typed as it stands there. */
export function isNameTyped(name: string, typed: string | null | undefined): boolean {
  return typed?.trim() === name;
}
