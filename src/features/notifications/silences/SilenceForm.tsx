/** Makes a silence, changes it, or deletes it (spec 2 §5; contract §9, §19.7). */
import { useMemo, useState, type ReactNode } from 'react';
import { useController, useForm, useFormContext, useWatch } from 'react-hook-form';
import { sendCommand } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { administer } from '../../../data/session/administration.ts';
import type { SilenceFacts } from '../../../domain/notification/silence-row.ts';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import type { Refusal } from '../../../ui/form/FormShell.tsx';
import { CheckInput, SelectInput, TextInput } from '../../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../../ui/form/FormShell.tsx';
import { useFreshRow } from '../../../ui/form/use-fresh-row.ts';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { HoursInput } from './HoursInput.tsx';
import { messages } from './messages.ts';
import { OtherThings } from './OtherThings.tsx';
import { SilencePreview } from './SilencePreview.tsx';
import {
  ABOUT,
  CUSTOM,
  hasTop,
  LENGTHS,
  silenceColumns,
  silenceFormSchema,
  silenceValues,
  type About,
  type SilenceValues,
} from './silence-form.ts';
import classes from './silences.module.css';
import { ThingPicker } from './ThingPicker.tsx';

const words = messages.form;
/** Who wants it at once does not want it an hour later (design §4 law 9). */
const SEND_WITHIN_MS = 2 * 60_000;
const LENGTH_OPTIONS = [
  ...LENGTHS.map((value) => ({ value, label: messages.lengths[value] })),
  { value: CUSTOM, label: words.custom },
];

function Resource({ isDisabled }: { isDisabled: boolean }) {
  const { field } = useController<SilenceValues, 'about'>({ name: 'about' });
  const { setValue, clearErrors } = useFormContext<SilenceValues>();
  // Canaries come from links alone (contract §19.7).
  const kinds = ABOUT.filter((kind) => kind !== 'canary' || field.value === 'canary');
  const others = useWatch<SilenceValues, 'others'>({ name: 'others' });
  const isTop = hasTop({ about: field.value, others });
  const change = (kind: About) => {
    if (isDisabled || kind === field.value) return;
    const left = others.filter((other) => other.kind !== kind);
    setValue('thing', others.find((other) => other.kind === kind)?.id ?? '');
    setValue('others', left);
    if (!hasTop({ about: kind, others: left })) setValue('recursive', false);
    // What was wrong was of another kind.
    clearErrors('thing');
    field.onChange(kind);
  };
  return (
    <div className={classes.about}>
      <Segmented
        label={words.about}
        value={field.value}
        options={kinds.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={change}
      />
      {field.value !== 'none' && <ThingPicker key={field.value} kind={field.value} isDisabled={isDisabled} />}
      <OtherThings isDisabled={isDisabled} />
      {isTop && (
        <CheckInput
          name="recursive"
          label={words.recursive}
          hint={words.recursiveHint}
          isDisabled={isDisabled}
        />
      )}
    </div>
  );
}

function Times({ isDisabled }: { isDisabled: boolean }) {
  const length = useWatch<SilenceValues, 'length'>({ name: 'length' });
  return (
    <FieldColumns>
      <TextInput
        name="from"
        label={words.from}
        hint={words.fromHint}
        type="datetime-local"
        isDisabled={isDisabled}
      />
      <SelectInput
        name="length"
        label={words.length}
        hint={words.lengthHint}
        options={LENGTH_OPTIONS}
        isDisabled={isDisabled}
      />
      {length === CUSTOM && (
        <TextInput
          name="until"
          label={words.until}
          type="datetime-local"
          isRequired
          isDisabled={isDisabled}
        />
      )}
    </FieldColumns>
  );
}

interface SilenceFormProps {
  /** Null for a new one. */
  silence: SilenceFacts | null;
  first: SilenceValues;
  /** Why it can't be changed; null when it can. */
  lock: string | null;
  aside?: ReactNode;
  onDone: () => void;
  onCancel: () => void;
}

/** Sends what the form says; answers what is wrong with it, or null. */
function useSend(silence: SilenceFacts | null): (values: SilenceValues) => Promise<Refusal | null> {
  const device = useDevice();
  const toasts = useToasts();
  const isReachable = useReachable();
  const [silenceId] = useState(() => device.newId());
  return async (values) => {
    const columns = silenceColumns(values, device.now());
    if (silence === null) {
      const answer = await sendCommand(
        { name: 'create_silence', args: { silenceId, ...columns } },
        values.keep ? {} : { expiresAfterMs: SEND_WITHIN_MS },
      );
      if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.error.field ?? null };
      toasts.success(isReachable ? messages.added : messages.addedOffline);
      return null;
    }
    const answer = await administer({
      name: 'update_row',
      table: 'notification_silences',
      key: silence.id,
      values: { ...columns, namespace: '' },
    });
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    toasts.success(messages.updated);
    return null;
  };
}

/** `first` is what the form begins with. */
export function SilenceForm({ silence, first, lock, aside, onDone, onCancel }: SilenceFormProps) {
  const device = useDevice();
  const isReachable = useReachable();
  const resolver = useMemo(() => zodResolver(silenceFormSchema(() => device.now())), [device]);
  const form = useForm<SilenceValues>({ resolver, defaultValues: first });
  const isOvertaken = useFreshRow(
    form,
    silence === null ? null : { ...silence, updated_at: silence.updatedAt },
    silenceValues,
  );
  const send = useSend(silence);
  const isNew = silence === null;
  const isLocked = lock !== null;
  return (
    <FormShell
      form={form}
      isOvertaken={isOvertaken}
      onSend={async (values) => {
        const refusal = await send(values);
        if (refusal !== null) return refusal;
        form.reset(values);
        onDone();
        return null;
      }}
      submit={isLocked ? null : isNew ? words.save : words.update}
      submitting={isNew ? words.saving : words.updating}
      blocked={lock ?? (isNew || isReachable ? null : ui.needsServer)}
      onCancel={onCancel}
      aside={aside}
    >
      <Resource isDisabled={isLocked} />
      <FieldColumns>
        <TextInput name="selector" label={words.selector} hint={words.selectorHint} isDisabled={isLocked} />
        <TextInput name="filter" label={words.filter} hint={words.filterHint} isDisabled={isLocked} />
      </FieldColumns>
      <Times isDisabled={isLocked} />
      <HoursInput name="hours" label={words.hours} hint={words.hoursHint} isDisabled={isLocked} />
      <TextInput name="description" label={words.reason} isLong isDisabled={isLocked} />
      <SilencePreview />
      {isNew && !isReachable && <CheckInput name="keep" label={words.keep} hint={words.keepHint} />}
    </FormShell>
  );
}
