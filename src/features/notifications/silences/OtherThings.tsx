/** What a silence names besides: those of the API may name several things, any of which is silent. */
import { IconX } from '@tabler/icons-react';
import { useController } from 'react-hook-form';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { messages } from './messages.ts';
import type { NamedThing, SilenceValues } from './silence-form.ts';
import classes from './silences.module.css';
import { useThingName } from './ThingPicker.tsx';

const words = messages.form;

function Other({ thing: { kind, id }, onRemove }: { thing: NamedThing; onRemove: (() => void) | null }) {
  const name = useThingName(kind, id);
  return (
    <li className={classes.other}>
      <span>{name}</span>
      <span className={classes.note}>{words.kinds[kind]}</span>
      {onRemove !== null && (
        <IconButton label={words.removeOther(name)} onClick={onRemove}>
          <IconX size={16} />
        </IconButton>
      )}
    </li>
  );
}

/** Listed, to be taken out; nothing where it names one thing. */
export function OtherThings({ isDisabled }: { isDisabled: boolean }) {
  const { field } = useController<SilenceValues, 'others'>({ name: 'others' });
  if (field.value.length === 0) return null;
  const remove = ({ kind }: NamedThing) => field.onChange(field.value.filter((one) => one.kind !== kind));
  return (
    <div className={classes.others}>
      <span className={classes.note}>{words.others}</span>
      <ul>
        {field.value.map((thing) => (
          <Other key={thing.kind} thing={thing} onRemove={isDisabled ? null : () => remove(thing)} />
        ))}
      </ul>
    </div>
  );
}
