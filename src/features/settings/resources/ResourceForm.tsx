import { useEffect, useState, type ReactNode } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import type { SettingsRow } from '../../../contract/http/table-views.ts';
import { administer } from '../../../data/session/administration.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { RESOURCES, type ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../../ui/form/FormShell.tsx';
import { LabelsInput } from '../../../ui/form/LabelsInput.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';
import {
  changedColumns,
  newColumns,
  OWN_SOURCE,
  resourceSchema,
  resourceValues,
  type ResourceValues,
} from './resource-form.ts';
import { followName } from '../checks/follow-name.ts';
import { TryChecks } from '../checks/TryChecks.tsx';
import { TryScraper } from '../scrapers/TryScraper.tsx';
import { RunsOn } from './RunsOn.tsx';
import { SpecInput } from './SpecInput.tsx';
import { TestBackend } from './TestBackend.tsx';
import { useFreshRow } from '../../../ui/form/use-fresh-row.ts';
import { useMissing } from './use-missing.ts';
import { useWholeDocument } from './use-whole-document.ts';

const words = messages.form;
interface ResourceFormProps {
  kind: ResourceKind;
  /** Null for a new one. */
  row: SettingsRow | null;
  userId: string;
  /** Why it is only shown; null when it may be changed. */
  readOnly: string | null;
  /** What a new one begins with. */
  start?: Partial<ResourceValues>;
  /** Save waits until nothing is missing, and says what is; else it is said when somebody saves. */
  isWhole?: true;
  /** Given the name of what was saved. */
  onDone: (name: string) => void;
  onCancel: () => void;
}

function Remove({ kind, row, onDone }: { kind: ResourceKind; row: SettingsRow; onDone: () => void }) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const name = row.name ?? row.id;
  const remove = async () => {
    const answer = await run({ name: 'delete_row', table: kind, key: row.id });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(messages.removed(name));
    onDone();
  };
  return (
    <>
      <Button disabled={!isReachable} onClick={() => setIsAsking(true)}>
        {messages.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={messages.removeTitle(RESOURCES[kind].singular)}
          question={messages.removeQuestion(name)}
          confirm={messages.remove}
          isBusy={isBusy}
          problem={problem}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

interface FieldsProps {
  kind: ResourceKind;
  /** Null for a new one. */
  row: SettingsRow | null;
  isLocked: boolean;
  onWhole: (text: string) => void;
}

/** The fields that the kind has. */
function Fields({ kind, row, isLocked, onWhole }: FieldsProps) {
  const isNew = row === null;
  const id = row?.id ?? null;
  // What was tried is told until the row is another one.
  const written = row?.updated_at ?? '';
  const facts = RESOURCES[kind];
  const schema = useQuery('spec-schema', facts.schema === null ? null : { file: facts.schema }).kept?.value;
  return (
    <>
      <FieldColumns>
        <TextInput name="name" label={words.name} isRequired hasFocus={isNew} isDisabled={!isNew} />
        {facts.hasNamespace && (
          <TextInput name="namespace" label={words.namespace} isRequired isDisabled={!isNew} />
        )}
        {kind === 'config_scrapers' && (
          <TextField
            label={words.source}
            value={row?.source ?? OWN_SOURCE}
            isDisabled
            onChange={() => undefined}
          />
        )}
        {facts.hasAgent && <RunsOn isNew={isNew} />}
        {facts.hasIcon && <TextInput name="icon" label={words.icon} isDisabled={isLocked} />}
      </FieldColumns>
      {facts.hasLabels && <LabelsInput name="labels" label={words.labels} isDisabled={isLocked} />}
      <SpecInput kind={kind} schema={schema} first="form" isDisabled={isLocked} onWhole={onWhole} />
      {kind === 'canaries' && !isLocked && <TryChecks key={written} id={id} />}
      {kind === 'config_scrapers' && !isLocked && <TryScraper key={written} id={id} />}
    </>
  );
}

/** The only check of a new canary is called like it until somebody names it otherwise. */
function useFollowedName(form: UseFormReturn<ResourceValues>, isFollowed: boolean): void {
  useEffect(() => {
    if (!isFollowed) return;
    let before = form.getValues('name');
    return form.subscribe({
      name: 'name',
      formState: { values: true },
      callback({ values }) {
        if (values.name === before) return;
        const spec = followName(values.spec, before, values.name);
        before = values.name;
        if (spec !== values.spec) form.setValue('spec', spec, { shouldDirty: true });
      },
    });
  }, [form, isFollowed]);
}

/** Makes a settings resource, changes it, or deletes it (contract §14.1). */
export function ResourceForm(props: ResourceFormProps): ReactNode {
  const { kind, row, userId, readOnly, start, onDone, onCancel } = props;
  const isReachable = useReachable();
  const toasts = useToasts();
  const form = useForm<ResourceValues>({
    resolver: zodResolver(resourceSchema),
    defaultValues: { ...resourceValues(row, kind), ...start },
  });
  useFollowedName(form, kind === 'canaries' && row === null);
  const isOvertaken = useFreshRow(form, row, (fresh) => resourceValues(fresh, kind));
  const missing = useMissing(form, kind, props.isWhole === true);
  const takeApart = useWholeDocument(form, kind, row?.name ?? null);
  const send = async (values: ResourceValues) => {
    const answer = await administer(
      row === null
        ? { name: 'insert_row', table: kind, values: newColumns(kind, values, userId) }
        : { name: 'update_row', table: kind, key: row.id, values: changedColumns(kind, values) },
    );
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    const added = values.agent === '' ? messages.added : messages.addedOnAgent;
    toasts.success((row === null ? added : messages.updated)(values.name));
    form.reset(values);
    onDone(values.name.trim());
    return null;
  };
  return (
    <FormShell
      form={form}
      isOvertaken={isOvertaken}
      onSend={send}
      submit={readOnly !== null ? null : row === null ? words.save : words.update}
      submitting={row === null ? words.saving : words.updating}
      blocked={readOnly ?? (isReachable ? missing : ui.needsServer)}
      onCancel={onCancel}
      aside={
        <>
          {readOnly === null && row !== null && <Remove kind={kind} row={row} onDone={onCancel} />}
          {kind === 'logging_backends' && <TestBackend id={row?.id ?? null} />}
        </>
      }
    >
      <Fields kind={kind} row={row} isLocked={readOnly !== null} onWhole={takeApart} />
    </FormShell>
  );
}
