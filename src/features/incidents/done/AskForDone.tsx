import { useEffect } from 'react';
import { useRecords } from '../use-records.ts';
import { DoneDialog } from './DoneDialog.tsx';

interface AskForDoneProps {
  incidentId: string;
  onClose: () => void;
  onDone: () => void;
}

/** The dialog of the definition of done, where there are evidences that it could be about; else it goes on at once. */
export function AskForDone({ incidentId, onClose, onDone }: AskForDoneProps) {
  const { isLoaded, total } = useRecords(incidentId, 'evidence');
  const hasNone = isLoaded && total === 0;
  useEffect(() => {
    if (hasNone) onDone();
    // Once: what `onDone` does makes it another function.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hasNone]);
  return isLoaded && total > 0 ? <DoneDialog onClose={onClose} onDone={onDone} /> : null;
}
