import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SettingsRow } from '../../../contract/http/table-views.ts';
import { administer } from '../../../data/session/administration.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import type { ConnectionType } from '../../../domain/settings/connection-fields.ts';
import {
  connectionColumns,
  connectionValues,
  type ConnectionValues,
} from '../../../domain/settings/connection-row.ts';
import { isEditable } from '../../../domain/settings/resource-source.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { FormShell } from '../../../ui/form/FormShell.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { useFreshRow } from '../../../ui/form/use-fresh-row.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { connectionSchema, testFailure } from './connection-schema.ts';
import { ConnectionFields } from './ConnectionFields.tsx';
import { messages } from './messages.ts';

const words = messages.form;

interface ConnectionFormProps {
  type: ConnectionType;
  /** Null for a new one. */
  row: SettingsRow | null;
  userId: string;
  /** What a new one starts with, where not with the type's own. */
  start?: ConnectionValues;
  /** Back to the choice of types, or away; given what was typed. */
  onCancel: (typed: ConnectionValues) => void;
  onDone: () => void;
}

/** Tries the connection as it is saved, and deletes it. */
function SavedActions({
  row,
  onDone,
  mayRemove,
  isChanged,
}: {
  row: SettingsRow;
  onDone: () => void;
  mayRemove: boolean;
  /** What stands in the form is not what would be tried. */
  isChanged: boolean;
}) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const test = async () => {
    const answer = await run({ name: 'test_connection', id: row.id });
    if (answer.ok) toasts.success(messages.tested);
    else toasts.error(testFailure(answer.error));
  };
  const remove = async () => {
    const answer = await run({ name: 'delete_row', table: 'connections', key: row.id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(messages.removed);
    onDone();
  };
  return (
    <>
      <Button
        disabled={!isReachable || isBusy || isChanged}
        title={isChanged ? words.saveFirst : undefined}
        onClick={() => void test()}
      >
        {isBusy && !isAsking ? words.testing : words.test}
      </Button>{' '}
      {mayRemove && (
        <Button disabled={!isReachable || isBusy} onClick={() => setIsAsking(true)}>
          {words.remove}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={messages.deletion.title}
          question={messages.deletion.question(row.name ?? row.id)}
          confirm={messages.deletion.confirm}
          isBusy={isBusy}
          problem={problem}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** Makes a connection of a type, or changes one (contract §10). */
export function ConnectionForm({ type, row, userId, start, onCancel, onDone }: ConnectionFormProps) {
  const isReachable = useReachable();
  const toasts = useToasts();
  const resolver = useMemo(() => zodResolver(connectionSchema(type)), [type]);
  const form = useForm<ConnectionValues>({ resolver, defaultValues: start ?? connectionValues(type, row) });
  const cancel = () => onCancel(form.getValues());
  const isOvertaken = useFreshRow(form, row, (fresh) => connectionValues(type, fresh));
  const isLocked = row !== null && !isEditable(row);
  const reachable = isReachable ? null : ui.needsServer;
  const send = async (values: ConnectionValues) => {
    const columns = connectionColumns(type, values, row);
    const answer = await administer(
      row === null
        ? {
            name: 'insert_row',
            table: 'connections',
            values: { ...columns, source: 'UI', created_by: userId },
          }
        : { name: 'update_row', table: 'connections', key: row.id, values: columns },
    );
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    toasts.success(row === null ? messages.added : messages.updated);
    onDone();
    return null;
  };
  return (
    <FormShell
      form={form}
      isOvertaken={isOvertaken}
      onSend={send}
      submit={row === null ? words.save : words.update}
      submitting={row === null ? words.saving : words.updating}
      blocked={isLocked ? messages.readOnly(row.source ?? '') : reachable}
      onCancel={cancel}
      aside={
        row === null ? (
          <Button onClick={cancel}>{words.back}</Button>
        ) : (
          <SavedActions row={row} onDone={onDone} mayRemove={!isLocked} isChanged={form.formState.isDirty} />
        )
      }
    >
      <ConnectionFields type={type} isDisabled={isLocked} />
    </FormShell>
  );
}
