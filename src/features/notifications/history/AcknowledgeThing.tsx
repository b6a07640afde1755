/** From a notification to saying that one knows of what it told, while that is still so. */
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { useComponent } from '../../../data/queries/topology/use-component.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { Acknowledge } from '../../../ui/page/Acknowledge.tsx';

const BAD: ReadonlySet<string> = new Set(['unhealthy', 'warning']);
const OVER: ReadonlySet<string> = new Set(['resolved', 'closed', 'cancelled']);

interface Told {
  id: string;
}

function OfCheck({ id }: Told) {
  const check = useCheck(id)?.check;
  const isBad = check !== undefined && (check.status === 'unhealthy' || check.status === null);
  return <Acknowledge kind="check" id={id} isBad={isBad} />;
}

function OfItem({ id }: Told) {
  const health = useLiveRow('configs', id)?.row.health ?? '';
  return <Acknowledge kind="config" id={id} isBad={BAD.has(health)} />;
}

function OfComponent({ id }: Told) {
  const state = useComponent(id).component?.state ?? 'unknown';
  return <Acknowledge kind="component" id={id} isBad={BAD.has(state)} />;
}

function OfIncident({ id }: Told) {
  const found = useLiveRow('incidents', id);
  if (found === null || found === undefined) return null;
  return <Acknowledge kind="incident" id={id} isBad={!OVER.has(found.row.status)} />;
}

/** Who knows of it, and the way to say so; nothing for what nobody acknowledges. */
export function AcknowledgeThing({ kind, id }: { kind: string | null; id: string }) {
  switch (kind) {
    case 'check':
      return <OfCheck id={id} />;
    case 'config':
      return <OfItem id={id} />;
    case 'component':
      return <OfComponent id={id} />;
    case 'incident':
      return <OfIncident id={id} />;
    case null:
    default:
      return null;
  }
}
