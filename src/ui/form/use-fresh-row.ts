/** A form follows its row as long as nobody has typed into it; then it says that it does not. */
import { useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

interface Written {
  updated_at?: string | null | undefined;
}

/**
 * True once the row was changed while something else was being typed: saving would write over it, and the form says
 * `messages.overtaken`. Null is a new row.
 */
export function useFreshRow<Values extends FieldValues, Row extends Written>(
  form: UseFormReturn<Values>,
  row: Row | null,
  valuesOf: (row: Row) => Values,
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
