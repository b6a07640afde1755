/** Parameters that are typed as passwords: their values are neither shown nor kept on a device. */
interface Parameter {
  name: string;
  properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Stands for what is not shown. */
export const STARS = '***';

/** The names of those of a playbook. */
export function secretNames(parameters: readonly Parameter[]): ReadonlySet<string> {
  const isSecret = ({ properties }: Parameter) => properties?.['format'] === 'password';
  return new Set(parameters.filter(isSecret).map(({ name }) => name));
}

/** The values of a run with stars in their place. */
export function withoutSecrets<T>(
  values: Readonly<Record<string, T>>,
  secret: ReadonlySet<string>,
): Record<string, T | typeof STARS> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secret.has(name) ? STARS : value]),
  );
}
