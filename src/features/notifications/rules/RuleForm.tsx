/** Makes a rule of notifications, changes it, or deletes it (contract §9, §19.7). */
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { RuleRow } from '../../../contract/http/notifications/notification-views.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { administer } from '../../../data/session/administration.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { may } from '../../../domain/access/matrix.ts';
import { REPEAT_INTERVALS, RULE_EVENTS } from '../../../domain/notification/notification-rule.ts';
import { isEditable } from '../../../domain/settings/resource-source.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ChoicesInput } from '../../../ui/form/ChoicesInput.tsx';
import { CodeInput } from '../../../ui/form/CodeInput.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../../ui/form/FormShell.tsx';
import { LabelsInput } from '../../../ui/form/LabelsInput.tsx';
import { useFreshRow } from '../../../ui/form/use-fresh-row.ts';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Facts } from '../../../ui/page/Page.tsx';
import { messages } from './messages.ts';
import { Recipient } from './Recipient.tsx';
import { RulePreview } from './RulePreview.tsx';
import { otherServices, ruleColumns, ruleSchema, ruleValues, type RuleValues } from './rule-form.ts';
import classes from './rules.module.css';

const words = messages.form;

const kindOf = (event: string) => event.split('.')[0] ?? '';
const EVENT_GROUPS = [...new Set(RULE_EVENTS.map(kindOf))].map((kind) => ({
  name: messages.groups[kind] ?? kind,
  options: RULE_EVENTS.filter((event) => kindOf(event) === kind).map((event) => ({
    value: event,
    label: event.slice(kind.length + 1),
  })),
}));

export interface Reader {
  id: string;
  roles: readonly string[];
}

interface RuleFormProps {
  /** Null for a new one. */
  row: RuleRow | null;
  reader: Reader;
  onDone: () => void;
  onCancel: () => void;
}

function Remove({ id, onDone }: { id: string; onDone: () => void }) {
  const { isBusy, run } = useAdminister();
  const isReachable = useReachable();
  const toasts = useToasts();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async () => {
    const answer = await run({ name: 'delete_row', table: 'notifications', key: id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(messages.removed);
    onDone();
  };
  return (
    <>
      <Button disabled={!isReachable} onClick={() => setIsAsking(true)}>
        {words.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          {...messages.deletion}
          isBusy={isBusy}
          problem={problem}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function Fields({ row, reader, isLocked }: { row: RuleRow | null; reader: Reader; isLocked: boolean }) {
  const others = otherServices(row);
  const locked = { isDisabled: isLocked };
  return (
    <>
      <ChoicesInput name="events" label={words.events} isRequired groups={EVENT_GROUPS} {...locked} />
      <Recipient isDisabled={isLocked} mayList={may(reader.roles, 'connections', 'read')} />
      {others > 0 && <p className={classes.note}>{words.moreServices(others)}</p>}
      <TextInput name="filter" label={words.filter} hint={words.filterHint} {...locked} />
      <FieldColumns>
        <TextInput
          name="repeat_interval"
          label={words.repeat}
          hint={words.repeatHint}
          suggestions={REPEAT_INTERVALS}
          {...locked}
        />
        <TextInput name="wait_for" label={words.wait} hint={words.waitHint} {...locked} />
        <TextInput name="group_by" label={words.group} hint={words.groupHint} {...locked} />
      </FieldColumns>
      <TextInput name="title" label={words.title} hint={words.titleHint} {...locked} />
      <CodeInput
        name="template"
        label={words.template}
        hint={words.templateHint}
        language="expression"
        {...locked}
      />
      <RulePreview />
      <LabelsInput
        name="properties"
        label={words.properties}
        hint={words.propertiesHint}
        add={words.addProperty}
        {...locked}
      />
      {row !== null && <Facts facts={[{ name: words.source, value: row.source ?? messages.madeHere }]} />}
    </>
  );
}

/** Why it may not be changed here; null when it may. */
function lockOf(row: RuleRow | null, { roles }: Reader): string | null {
  if (!may(roles, 'notifications', 'write')) return messages.roleLocked;
  return row === null || isEditable(row) ? null : messages.sourceLocked(row.source ?? '');
}

/** See the head of this file. */
export function RuleForm({ row, reader, onDone, onCancel }: RuleFormProps) {
  const isReachable = useReachable();
  const toasts = useToasts();
  const resolver = useMemo(() => zodResolver(ruleSchema(row)), [row]);
  const form = useForm<RuleValues>({ resolver, defaultValues: ruleValues(row) });
  const isOvertaken = useFreshRow(form, row, ruleValues);
  const lock = lockOf(row, reader);
  const send = async (values: RuleValues) => {
    const columns = ruleColumns(values, row);
    const answer = await administer(
      row === null
        ? {
            name: 'insert_row',
            table: 'notifications',
            values: { ...columns, source: 'UI', created_by: reader.id },
          }
        : { name: 'update_row', table: 'notifications', key: row.id, values: columns },
    );
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    toasts.success(row === null ? messages.added : messages.updated);
    form.reset(values);
    onDone();
    return null;
  };
  return (
    <FormShell
      form={form}
      isOvertaken={isOvertaken}
      onSend={send}
      submit={lock !== null ? null : row === null ? words.save : words.update}
      submitting={row === null ? words.saving : words.updating}
      blocked={lock ?? (isReachable ? null : ui.needsServer)}
      onCancel={onCancel}
      aside={row !== null && lock === null && <Remove id={row.id} onDone={onDone} />}
    >
      {(row?.error ?? '') !== '' && (
        <p role="alert" className={classes.broken}>
          {messages.broken} <q>{row?.error}</q>
        </p>
      )}
      <Fields row={row} reader={reader} isLocked={lock !== null} />
    </FormShell>
  );
}
