import { IconAlertTriangle, IconCheck, IconClock, IconFile } from '@tabler/icons-react';
import type { CommandRequest } from '../../../contract/commands/all-commands.ts';
import type { ResponderDelivery } from '../../../contract/collection-rows.ts';
import { WRITTEN_TO_FILE } from '../../../domain/incident/responder-type.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { messages } from './messages.ts';
import classes from './responders.module.css';

const words = messages.delivery;

/** A mail without a mail server has reached nobody. */
const isOnlyFile = ({ state, remote_status: status }: ResponderDelivery) =>
  state === 'delivered' && status === WRITTEN_TO_FILE;

const MARKS = { waiting: IconClock, delivered: IconCheck, failed: IconAlertTriangle };

function sentence({ state, attempts }: ResponderDelivery, system: string): string {
  if (state === 'waiting' && attempts > 0) return words.waitingAgain(system, attempts);
  return words[state](system);
}

interface DeliveryStateProps {
  delivery: ResponderDelivery;
  /** What it is sent to, in words. */
  system: string;
  /** Null for who may not. */
  onRetry: (() => void) | null;
}

/** How a responder's call in the outside system stands, and why it failed. */
export function DeliveryState({ delivery, system, onRetry }: DeliveryStateProps) {
  const isFile = isOnlyFile(delivery);
  const Mark = isFile ? IconFile : MARKS[delivery.state];
  const isFailed = delivery.state === 'failed';
  return (
    <>
      <span className={classes.state} data-delivery={delivery.state}>
        <Mark size={14} stroke={1.8} aria-hidden />
        {isFile ? WRITTEN_TO_FILE : sentence(delivery, system)}
      </span>
      {delivery.remote_status !== null && !isFile && <span>{words.remote(delivery.remote_status)}</span>}
      {isFailed && onRetry !== null && <Button onClick={onRetry}>{words.retry}</Button>}
      {(isFailed || delivery.error !== null) && (
        <span className={classes.reason}>{delivery.error ?? words.noReason}</span>
      )}
    </>
  );
}

/** Asks the server to try a failed delivery again. */
export function retryRequest(id: string, incidentId: string): CommandRequest {
  return { name: 'retry_responder', args: { id, incidentId } };
}
