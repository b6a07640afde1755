import { IconX } from '@tabler/icons-react';
import { IconButton } from '../../../../ui/actions/Button.tsx';
import { TextField } from '../../../../ui/fields/TextField.tsx';
import { MAX_DESCRIPTION } from '../EditEvidence.tsx';
import { DraftBody } from '../EvidenceBody.tsx';
import type { Chosen } from './candidate.ts';
import { messages } from './messages.ts';
import classes from './wizard.module.css';

interface ReviewStepProps {
  chosen: Chosen;
  /** How each was called when it was chosen, by id. */
  names: ReadonlyMap<string, string>;
  onChosen: (chosen: Chosen) => void;
}

/** The last step: each as it will stand there, with its own words. */
export function ReviewStep({ chosen, names, onChosen }: ReviewStepProps) {
  const change = (id: string, description: string) => {
    const draft = chosen.get(id);
    if (draft !== undefined) onChosen(new Map(chosen).set(id, { ...draft, description }));
  };
  const takeOut = (id: string) => {
    const next = new Map(chosen);
    next.delete(id);
    onChosen(next);
  };
  return (
    <ul className={classes.reviews}>
      {[...chosen].map(([id, draft]) => {
        const name = names.get(id) ?? draft.description;
        return (
          <li key={id} className={classes.review}>
            <div className={classes.reviewHead}>
              <DraftBody draft={{ ...draft, description: '' }} />
              <IconButton label={messages.takeOut(name)} onClick={() => takeOut(id)}>
                <IconX size={16} />
              </IconButton>
            </div>
            <TextField
              label={messages.description(name)}
              value={draft.description}
              maxLength={MAX_DESCRIPTION}
              onChange={(description) => change(id, description)}
            />
          </li>
        );
      })}
    </ul>
  );
}
