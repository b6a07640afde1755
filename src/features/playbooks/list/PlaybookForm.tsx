/** Makes a playbook or changes it (spec 1 §2): its head as fields, what it does as YAML that is checked as it is typed. */
import { useForm } from 'react-hook-form';
import type { PlaybookRow } from '../../../contract/http/playbooks/playbooks.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { administer } from '../../../data/session/administration.ts';
import { isEditable } from '../../../domain/settings/resource-source.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { CodeInput } from '../../../ui/form/CodeInput.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../../ui/form/FormShell.tsx';
import { useFreshRow } from '../../../ui/form/use-fresh-row.ts';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { messages as shared } from '../messages.ts';
import { messages as words } from './messages.ts';
import {
  headOf,
  playbookColumns,
  playbookFormSchema,
  playbookValues,
  type PlaybookValues,
} from './playbook-form.ts';

const SCHEMA_FILE = 'playbook-spec.schema.json';

interface PlaybookFormProps {
  /** Null for a new one. */
  row: PlaybookRow | null;
  userId: string;
  onClose: () => void;
}

/** See the head of this file. */
export function PlaybookForm({ row, userId, onClose }: PlaybookFormProps) {
  const isReachable = useReachable();
  const toasts = useToasts();
  const schema = useQuery('spec-schema', { file: SCHEMA_FILE }).kept?.value;
  const form = useForm<PlaybookValues>({
    resolver: zodResolver(playbookFormSchema),
    defaultValues: playbookValues(row),
  });
  const isOvertaken = useFreshRow(form, row, playbookValues);
  const isLocked = row !== null && !isEditable(row);
  const takeHead = (text: string) => {
    for (const [field, value] of Object.entries(headOf(text)))
      form.setValue(field as keyof PlaybookValues, value, { shouldDirty: true, shouldValidate: true });
  };
  const send = async (values: PlaybookValues) => {
    const columns = playbookColumns(values);
    const answer = await administer(
      row === null
        ? {
            name: 'insert_row',
            table: 'playbooks',
            values: { ...columns, name: columns.title, created_by: userId },
          }
        : { name: 'update_row', table: 'playbooks', key: row.id, values: columns },
    );
    if (!answer.ok) return { text: shared.errorText(answer.error), field: answer.field };
    toasts.success(row === null ? words.created(columns.title) : words.updated(columns.title));
    form.reset(values);
    onClose();
    return null;
  };
  return (
    <FormShell
      form={form}
      isOvertaken={isOvertaken}
      onSend={send}
      submit={row === null ? words.create : words.save}
      submitting={row === null ? words.creating : words.saving}
      blocked={isLocked ? shared.fromElsewhere : isReachable ? null : ui.needsServer}
      onCancel={onClose}
    >
      <FieldColumns>
        <TextInput
          name="title"
          label={words.title}
          isRequired
          hasFocus={row === null}
          isDisabled={isLocked}
        />
        <TextInput name="category" label={words.category} hint={words.categoryHint} isDisabled={isLocked} />
        <TextInput name="icon" label={words.icon} isDisabled={isLocked} />
      </FieldColumns>
      <TextInput name="description" label={words.description} isLong isDisabled={isLocked} />
      <CodeInput
        name="spec"
        label={words.spec}
        isRequired
        schema={schema}
        isDisabled={isLocked}
        onWhole={takeHead}
        {...(JSON.stringify(row?.spec ?? {}).includes('***') ? { hint: words.stars } : {})}
      />
    </FormShell>
  );
}
