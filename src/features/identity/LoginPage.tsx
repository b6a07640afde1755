import { PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import '@mantine/core/styles/ActionIcon.css';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import { signIn } from '../../data/commands.ts';
import { useSyncStatus } from '../../data/use-sync-status.ts';
import { Button } from '../../ui/Button.tsx';
import { ProductMark } from '../../ui/ProductMark.tsx';
import classes from './login.module.css';
import { messages } from './messages.ts';

interface FieldErrors {
  identifier: string | null;
  password: string | null;
}

const NO_ERRORS: FieldErrors = { identifier: null, password: null };

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The built-in sign-in. Where to go afterwards is the gate's business: it sees the session begin. */
export function LoginPage() {
  const { connection } = useSyncStatus();
  const isOffline = connection === 'offline';
  const [fieldErrors, setFieldErrors] = useState(NO_ERRORS);
  const [error, setError] = useState<ErrorFacts | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const identifier = textOf(form, 'identifier').trim();
    const password = textOf(form, 'password');
    const found = {
      identifier: identifier === '' ? messages.required : null,
      password: password === '' ? messages.required : null,
    };
    setFieldErrors(found);
    if (found.identifier !== null || found.password !== null) return;
    setIsBusy(true);
    setError(null);
    const answer = await signIn({ identifier, password });
    setIsBusy(false);
    if (!answer.ok) setError(answer.error);
  };

  return (
    <main className={classes.page}>
      <form className={classes.card} noValidate onSubmit={(event) => void handleSubmit(event)}>
        <div className={classes.mark}>
          <ProductMark size={32} />
          <h1>{messages.title}</h1>
        </div>
        {isOffline && (
          <p className={classes.offline} role="status">
            {messages.offline}
          </p>
        )}
        {error !== null && (
          <p className={classes.alert} role="alert">
            {messages.errorText(error)}
          </p>
        )}
        <TextInput
          name="identifier"
          label={messages.identifier}
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          size="md"
          error={fieldErrors.identifier}
        />
        <PasswordInput
          name="password"
          label={messages.password}
          autoComplete="current-password"
          size="md"
          error={fieldErrors.password}
          visibilityToggleButtonProps={{ 'aria-label': messages.show }}
        />
        <Button type="submit" look="primary" className={classes.submit ?? ''} disabled={isOffline || isBusy}>
          {isBusy ? messages.signingIn : messages.signIn}
        </Button>
      </form>
    </main>
  );
}
