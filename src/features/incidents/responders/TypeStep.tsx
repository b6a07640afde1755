import { clientsOf } from '../../../domain/incident/responder-type.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { messages as words } from './messages.ts';
import classes from './responders.module.css';
import { ResponderTypeIcon, typeWord } from './ResponderTypeIcon.tsx';
import { nameOf, type ResourceRow } from './use-resources.ts';

interface TypeStepProps {
  team: ResourceRow;
  onType: (type: string) => void;
  onBack: () => void;
}

/** Responder Type: only what the team has configured (spec 3 §4). */
export function TypeStep({ team, onType, onBack }: TypeStepProps) {
  const types = [...clientsOf(team).keys()];
  return (
    <div className={classes.step}>
      <p className={classes.lead}>{nameOf(team, team.id)}</p>
      {types.length === 0 && (
        <div role="status">
          <p>{words.noTypes}</p>
          <p className={classes.hint}>{words.noTypesHint}</p>
        </div>
      )}
      {types.length > 0 && (
        <ul className={classes.types} aria-label={words.responderType}>
          {types.map((type) => (
            <li key={type}>
              <button type="button" className={classes.choice} onClick={() => onType(type)}>
                <ResponderTypeIcon type={type} />
                {typeWord(type)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.actions}>
        <Button onClick={onBack}>{words.back}</Button>
      </div>
    </div>
  );
}
