import { IconPlayerPlay } from '@tabler/icons-react';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';

/** Runs a scraper now; what came of it is in its job history, which is shown next. */
export function RunScraper({ scraperId, onDone }: { scraperId: string; onDone: () => void }) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const handleRun = async () => {
    const answer = await run({ name: 'run_scraper', id: scraperId });
    if (answer.ok) toasts.success(messages.done);
    else toasts.error(messages.failed(messages.errorText(answer.error)));
    onDone();
  };
  return (
    <Button
      look="primary"
      disabled={isBusy || !isReachable}
      title={isReachable ? undefined : ui.needsServer}
      onClick={() => void handleRun()}
    >
      <IconPlayerPlay size={15} aria-hidden />
      {isBusy ? messages.running : messages.run}
    </Button>
  );
}
