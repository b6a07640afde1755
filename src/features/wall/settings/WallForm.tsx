/** How one wall shows its boards. */
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { wallSettingsSchema, type Board, type Wall } from '../../../contract/http/walls.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { administer } from '../../../data/session/administration.ts';
import { ChoicesInput } from '../../../ui/form/ChoicesInput.tsx';
import { CheckInput, TextInput } from '../../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../../ui/form/FormShell.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages } from '../messages.ts';

const words = messages.walls;
const form = words.form;
const { shape } = wallSettingsSchema;
const whole = z.coerce.number<string>();
const time = z.string().regex(/^(|([01]\d|2[0-3]):[0-5]\d)$/, form.timeWrong);

const valuesSchema = z.object({
  name: z.string().trim().min(1, words.nameMissing),
  boards: z.array(z.string()),
  rotateSeconds: whole.pipe(shape.rotateSeconds.unwrap()),
  staleSeconds: whole.pipe(shape.staleSeconds.unwrap()),
  hasSound: z.boolean(),
  hasSpeech: z.boolean(),
  isLargeType: z.boolean(),
  isHighContrast: z.boolean(),
  dimFrom: time,
  dimUntil: time,
});
type Values = z.input<typeof valuesSchema>;

function valuesOf({ name, settings }: Wall): Values {
  const { dim, rotateSeconds, staleSeconds, ...plain } = settings;
  return {
    ...plain,
    name,
    rotateSeconds: String(rotateSeconds),
    staleSeconds: String(staleSeconds),
    dimFrom: dim?.from ?? '',
    dimUntil: dim?.until ?? '',
  };
}

interface WallFormProps {
  wall: Wall;
  boards: readonly Board[];
  onDone: () => void;
  onClose: () => void;
}

/** What is saved reaches the screen at once. */
export function WallForm({ wall, boards, onDone, onClose }: WallFormProps) {
  const isReachable = useReachable();
  const values = useForm<Values>({ resolver: zodResolver(valuesSchema), defaultValues: valuesOf(wall) });
  const send = async (sent: Values) => {
    const { name, dimFrom, dimUntil, ...settings } = valuesSchema.parse(sent);
    const dim = dimFrom === '' || dimUntil === '' ? null : { from: dimFrom, until: dimUntil };
    const answer = await administer({
      name: 'change_wall',
      id: wall.id,
      wallName: name,
      settings: { ...settings, dim },
    });
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    onDone();
    return null;
  };
  const options = boards.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Modal title={words.edit(wall.name)} onClose={onClose}>
      <FormShell
        form={values}
        onSend={send}
        submit={form.save}
        submitting={form.saving}
        blocked={isReachable ? null : ui.needsServer}
        onCancel={onClose}
      >
        <TextInput name="name" label={words.wallName} isRequired />
        {options.length > 0 && (
          <ChoicesInput
            name="boards"
            label={form.boards}
            hint={form.boardsHint}
            groups={[{ name: '', options }]}
          />
        )}
        <FieldColumns>
          <TextInput name="rotateSeconds" label={form.rotate} hint={form.rotateHint} type="number" />
          <TextInput name="staleSeconds" label={form.stale} hint={form.staleHint} type="number" />
        </FieldColumns>
        <FieldColumns>
          <TextInput name="dimFrom" label={form.dimFrom} hint={form.dimHint} placeholder="22:00" />
          <TextInput name="dimUntil" label={form.dimUntil} placeholder="06:00" />
        </FieldColumns>
        <CheckInput name="hasSound" label={form.sound} hint={form.soundHint} />
        <CheckInput name="hasSpeech" label={form.speech} />
        <CheckInput name="isLargeType" label={form.largeType} />
        <CheckInput name="isHighContrast" label={form.contrast} />
      </FormShell>
    </Modal>
  );
}
