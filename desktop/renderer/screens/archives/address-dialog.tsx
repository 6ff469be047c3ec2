import { useState, type FormEvent } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { wordsOf } from '#desktop/renderer/use-act.ts';

import styles from './archives.module.css';

/** Asks where an archive is to be fetched. */
export function AddressDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={text.archives.fromAddress} isOpen={isOpen} onClose={onClose} closeLabel={text.app.close}>
      <AddressForm onDone={onClose} />
    </Dialog>
  );
}

function AddressForm({ onDone }: { onDone: () => void }) {
  const actions = useActions();
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string>();
  const submit = async () => {
    try {
      await actions.fetchArchive(address.trim());
      onDone();
    } catch (refusal) {
      setError(wordsOf(refusal));
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
      <TextField
        label={text.archives.address}
        hint={text.archives.addressHint}
        kind="url"
        value={address}
        onChange={setAddress}
        autoFocus
        error={error}
      />
      <Button type="submit" tone="primary">
        {text.archives.fetch}
      </Button>
    </form>
  );
}
