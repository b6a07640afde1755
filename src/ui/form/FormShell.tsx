/**
 * A form's frame: hands the form to its fields, sends it once, and shows what came of it. The caller's `onSend`
 * answers with what is wrong, or null; a refusal that names a field of the form is shown there.
 */
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { FormProvider, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { Button } from '../actions/Button.tsx';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import { countWrong } from './count-wrong.ts';
import classes from './form.module.css';

export interface Refusal {
  text: string;
  /** Path of the field it is about, as far as the server said. */
  field: string | null;
}

interface FormShellProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  onSend: (values: Values) => Promise<Refusal | null>;
  /** Null where it is only shown. */
  submit: string | null;
  /** What the button says while the call is under way. */
  submitting: string;
  /** Why nothing can be sent now; null when it can. */
  blocked: string | null;
  /** False while what is typed can't be sent; the fields say why. */
  isReady?: boolean;
  /** Somebody else saved it while something was typed (use-fresh-row.ts). */
  isOvertaken?: boolean;
  onCancel: () => void;
  /** At the start of the line of buttons. */
  aside?: ReactNode;
  children: ReactNode;
}

/** `blocked` is the reason why it can't be sent now, such as no network; null when it can. */
export function FormShell<Values extends FieldValues>(props: FormShellProps<Values>) {
  const { form, onSend, submit, submitting, blocked, isReady = true, isOvertaken = false } = props;
  const { onCancel, aside, children } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const { isSubmitting, isDirty, errors } = form.formState;
  const wrong = countWrong(errors);
  const giveUp = () => {
    // Nobody is asked about what they gave up themselves.
    element.current?.removeAttribute('data-unsaved');
    onCancel();
  };
  const send = async (values: Values) => {
    setProblem(null);
    const refusal = await onSend(values);
    if (refusal === null) return;
    // A path such as `spec.http[0].url` is told to the field that holds it all, which knows where that is.
    const field = refusal.field?.split(/[.[]/)[0];
    if (field !== undefined && field in values)
      form.setError(
        field as Path<Values>,
        { type: refusal.field ?? field, message: refusal.text },
        { shouldFocus: true },
      );
    else setProblem(refusal.text);
  };
  return (
    <FormProvider {...form}>
      <form
        ref={element}
        className={classes.form}
        noValidate
        data-unsaved={isDirty && !isSubmitting ? '' : undefined}
        onSubmit={(event) => void form.handleSubmit(send)(event)}
      >
        {isOvertaken && <p role="alert">{messages.overtaken}</p>}
        {children}
        <div className={classes.actions}>
          {problem !== null && (
            <p role="alert" className={`${classes.wide} ${classes.problem}`}>
              {problem}
            </p>
          )}
          {blocked !== null && (
            <p role="status" className={`${classes.wide} ${classes.blocked}`}>
              {blocked}
            </p>
          )}
          {wrong > 0 && (
            <p role="status" className={`${classes.wide} ${classes.wrong}`}>
              {messages.wrongFields(wrong)}
            </p>
          )}
          <span className={classes.aside}>{aside}</span>
          <Button look="quiet" onClick={giveUp}>
            {shared.cancel}
          </Button>
          {submit !== null && (
            <Button look="primary" type="submit" disabled={isSubmitting || blocked !== null || !isReady}>
              {isSubmitting ? submitting : submit}
            </Button>
          )}
        </div>
      </form>
    </FormProvider>
  );
}

/** Fields side by side where there is room. */
export function FieldColumns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>;
}
