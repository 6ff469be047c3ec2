import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import { SendForm } from '../shell/send-form.tsx';

/** Asks for the address of an archive. */
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
  const send = async () => {
    await actions.fetchArchive(address.trim());
    onDone();
  };
  return (
    <SendForm send={send} submitLabel={text.archives.fetch}>
      {(refusal) => (
        <TextField
          label={text.archives.address}
          hint={text.archives.addressHint}
          kind="url"
          value={address}
          onChange={setAddress}
          autoFocus
          error={refusal}
        />
      )}
    </SendForm>
  );
}
