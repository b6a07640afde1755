/** A form follows its row as long as nobody has typed into it; then it says that it does not. */
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { SettingsRow } from '../../../contract/http/table-views.ts';
import type { ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { resourceValues, type ResourceValues } from './resource-form.ts';

/** True once the row was changed while something else was being typed: saving would write over it. */
export function useFreshRow(
  form: UseFormReturn<ResourceValues>,
  row: SettingsRow | null,
  kind: ResourceKind,
): boolean {
  const { isDirty } = form.formState;
  const changedAt = row?.updated_at ?? '';
  const [shownAt, setShownAt] = useState(changedAt);
  const isOld = row !== null && changedAt !== shownAt;
  useEffect(() => {
    if (row === null || !isOld || isDirty) return;
    form.reset(resourceValues(row, kind));
    setShownAt(changedAt);
  }, [form, row, kind, isOld, isDirty, changedAt]);
  return isOld && isDirty;
}
