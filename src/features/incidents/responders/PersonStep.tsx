import { Button } from '../../../ui/actions/Button.tsx';
import { PersonName } from '../../../ui/marks/Avatar.tsx';
import { messages as words } from './messages.ts';
import classes from './responders.module.css';
import { nameOf, type ResourceRow } from './use-resources.ts';

interface PersonStepProps {
  person: ResourceRow;
  onAdd: () => void;
  onBack: () => void;
}

/** A person is asked for nothing (spec 3 §4 'Add directly'). */
export function PersonStep({ person, onAdd, onBack }: PersonStepProps) {
  const name = nameOf(person, person.id);
  return (
    <div className={classes.step}>
      <PersonName name={name} image={typeof person['avatar'] === 'string' ? person['avatar'] : null} />
      <p className={classes.lead}>{words.addDirectlyHint(name)}</p>
      <div className={classes.actions}>
        <Button onClick={onBack}>{words.back}</Button>
        <Button look="primary" data-autofocus="" onClick={onAdd}>
          {words.addDirectly}
        </Button>
      </div>
    </div>
  );
}
