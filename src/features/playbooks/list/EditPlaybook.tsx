import { useTable } from '../../../data/queries/use-table.ts';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages as shared } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import { messages } from './messages.ts';
import { PlaybookForm } from './PlaybookForm.tsx';

interface EditPlaybookProps {
  /** Null for a new one. */
  playbookId: string | null;
  userId: string;
  onClose: () => void;
}

function Existing({ playbookId, userId, onClose }: EditPlaybookProps & { playbookId: string }) {
  const { kept, error } = useTable({
    view: 'playbook',
    where: [{ op: 'eq', column: 'id', value: playbookId }],
    limit: 1,
  });
  const row = kept?.value.rows[0];
  const title = row === undefined ? shared.edit : messages.editTitle(playbookTitle(row));
  return (
    <Modal title={title} size="medium" onClose={onClose}>
      {row !== undefined && <PlaybookForm key={row.id} row={row} userId={userId} onClose={onClose} />}
      {row === undefined && kept === null && error === null && <SkeletonRows text={messages.loading} />}
      {row === undefined && (kept !== null || error !== null) && (
        <StateNote title={shared.failed} role="alert">
          <p>{error === null ? shared.gone : shared.errorText(error)}</p>
        </StateNote>
      )}
    </Modal>
  );
}

/** The dialog with a playbook's form. */
export function EditPlaybook({ playbookId, userId, onClose }: EditPlaybookProps) {
  if (playbookId !== null) return <Existing playbookId={playbookId} userId={userId} onClose={onClose} />;
  return (
    <Modal title={messages.createTitle} size="medium" onClose={onClose}>
      <PlaybookForm row={null} userId={userId} onClose={onClose} />
    </Modal>
  );
}
