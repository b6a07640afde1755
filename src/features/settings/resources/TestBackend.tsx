/** Has the server ask a log backend for its newest line, before anybody relies on it. */
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { testLogBackend } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useSession } from '../../../data/session/use-session.ts';
import { may } from '../../../domain/access/matrix.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { parseYamlObject } from '../../../ui/code/yaml-lint.ts';
import { messages } from './messages.ts';
import type { ResourceValues } from './resource-form.ts';

const words = messages.test;

/** `id` of the backend as it is kept; what was changed since is tried as it stands in the form. */
export function TestBackend({ id }: { id: string | null }) {
  const form = useFormContext<ResourceValues>();
  const isReachable = useReachable();
  const session = useSession();
  const [isBusy, setIsBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const isChanged = form.formState.dirtyFields.spec === true;
  const test = async () => {
    const spec = parseYamlObject(form.getValues('spec'));
    if (!spec.ok) return setSaid(spec.message);
    setIsBusy(true);
    setSaid(null);
    const answer = await testLogBackend(id !== null && !isChanged ? { id } : { id, spec: spec.value });
    setIsBusy(false);
    setSaid(answer.ok ? answer.value.message : messages.errorText(answer.error));
  };
  // One of a file is tried by those who may write others.
  if (session.kind !== 'signed-in' || !may(session.user.roles, 'logging_backends', 'write')) return null;
  return (
    <>
      <Button disabled={isBusy || !isReachable} onClick={() => void test()}>
        {isBusy ? words.busy : words.action}
      </Button>
      <span role="status">{said}</span>
    </>
  );
}
