/** A form follows its row as long as nobody has typed into it; then it says that it does not. */
import { useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { SettingsRow } from '../../contract/http/table-views.ts';

/** True once the row was changed while something else was being typed: saving would write over it. */
export function useFreshRow<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  row: SettingsRow | null,
  valuesOf: (row: SettingsRow) => Values,
): boolean {
  const { isDirty } = form.formState;
  const changedAt = row?.updated_at ?? '';
  const [shownAt, setShownAt] = useState(changedAt);
  const filledAt = useRef(changedAt);
  const isOld = row !== null && changedAt !== shownAt;
  if (isOld && !isDirty) setShownAt(changedAt);
  useEffect(() => {
    if (row === null || filledAt.current === shownAt) return;
    filledAt.current = shownAt;
    form.reset(valuesOf(row));
  }, [form, row, valuesOf, shownAt]);
  return isOld && isDirty;
}
