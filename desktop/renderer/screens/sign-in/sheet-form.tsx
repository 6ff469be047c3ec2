import { useRef, useState, type FormEvent, type ReactNode } from 'react';

import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

import styles from './sign-in-screen.module.css';

interface SheetFormProps {
  /** Shows errors at the fields. Returns whether the form can be sent. */
  check: () => boolean;
  send: () => Promise<void>;
  /** Heading of the error message. */
  failedTitle: string;
  /** Null: the screen says elsewhere what is wrong. */
  failureWords: (error: unknown) => string | null;
  /** A button that helps with the failure. */
  failureAction?: (error: unknown) => ReactNode;
  submitLabel: string;
  /** While it is being sent. */
  sendingLabel?: string;
  children: ReactNode;
  /** Content below the button. */
  after?: ReactNode;
}

/** A form for signed-out people: errors of the server above the fields, the button below them. */
export function SheetForm({
  check,
  send,
  failedTitle,
  failureWords,
  failureAction,
  submitLabel,
  sendingLabel = submitLabel,
  children,
  after,
}: SheetFormProps) {
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const [busy, setBusy] = useState(false);
  const isSending = useRef(false);
  const words = failure === null ? null : failureWords(failure.error);
  const submit = async () => {
    setFailure(null);
    // Enter while it is being sent.
    if (isSending.current || !check()) return;
    isSending.current = true;
    setBusy(true);
    try {
      await send();
    } catch (error) {
      setFailure({ error });
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  return (
    <form
      className={classNames(styles, 'form')}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure !== null && words !== null && (
        <Notice tone="danger" title={failedTitle} action={failureAction?.(failure.error)}>
          {words}
        </Notice>
      )}
      {children}
      <Button type="submit" tone="primary" size="large" wide isPending={busy}>
        {busy ? sendingLabel : submitLabel}
      </Button>
      {after}
    </form>
  );
}
