import { IconShare2 } from '@tabler/icons-react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { links } from '../../../domain/links.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useCopy } from '../../../ui/feedback/use-copy.ts';
import { wordFor } from '../words.ts';
import { messages } from './messages.ts';

/** Hands the incident's address on: by the system's share sheet, or to the clipboard where there is none. */
export function useShare(row: IncidentRow): () => void {
  const device = useDevice();
  const copy = useCopy();
  return () => {
    const url = device.addressOf(links.incident(row.id));
    const parts = [row.incident_id, row.title, wordFor('statuses', row.status)];
    const text = parts.filter((part) => part !== '').join(' · ');
    if (device.share === null) copy(url, 'link');
    else void device.share({ title: row.title, text, url });
  };
}

/** The share sheet where there is one, else the clipboard. */
export function ShareAction({ row }: { row: IncidentRow }) {
  const share = useShare(row);
  return (
    <IconButton label={messages.actions.share} onClick={share}>
      <IconShare2 size={17} stroke={1.7} aria-hidden />
    </IconButton>
  );
}
