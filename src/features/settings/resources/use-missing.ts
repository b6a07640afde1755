/** What keeps a form from being saved, while it is filled in. */
import { useMemo } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useQuery } from '../../../data/queries/use-query.ts';
import { RESOURCES, type ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { problemsByPath, schemaOf } from '../../../ui/code/yaml-lint.ts';
import { messages } from './messages.ts';
import { resourceSchema, type ResourceValues } from './resource-form.ts';

const MOST_TOLD = 5;

/** In one sentence, with the fields; null when nothing does, and for a form that says it when it is sent. */
export function useMissing(
  form: UseFormReturn<ResourceValues>,
  kind: ResourceKind,
  isAsked: boolean,
): string | null {
  const file = RESOURCES[kind].schema;
  const schema = useQuery('spec-schema', isAsked && file !== null ? { file } : null).kept?.value;
  const validator = useMemo(() => schemaOf(schema), [schema]);
  const values = useWatch({ control: form.control, disabled: !isAsked });
  if (!isAsked) return null;
  const own = resourceSchema.safeParse(values).error?.issues ?? [];
  const inSpec = problemsByPath(values.spec ?? '', validator);
  const told = [
    ...own.map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...[...inSpec].map(([path, message]) => (path === '' ? message : `${path}: ${message}`)),
  ];
  return told.length === 0 ? null : messages.form.missing(told.slice(0, MOST_TOLD));
}
