import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { pinRefusal } from '#shared/rules/device-pin.ts';

import { SheetForm } from '../sign-in/sheet-form.tsx';

const words = text.unlock;

type Choice = { protection: 'pin'; pin: string } | { protection: 'file' };

interface ProtectFormProps {
  submitLabel: string;
  onChoose: (choice: Choice) => Promise<void>;
}

/** Chooses a PIN, or to keep the key without one. */
export function ProtectForm({ submitLabel, onChoose }: ProtectFormProps) {
  const [how, setHow] = useState('pin');
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [errors, setErrors] = useState<{ pin?: string; again?: string }>({});
  const check = () => {
    if (how === 'file') return true;
    const refusal = pinRefusal(pin);
    const found = {
      ...(refusal === null ? {} : { pin: words.pinRefusals[refusal] }),
      ...(refusal === null && pin !== again ? { again: words.notAlike } : {}),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  return (
    <>
      <SegmentedField
        label={words.how}
        hideLabel
        look="compact"
        segments={[
          { id: 'pin', name: words.withPin },
          { id: 'file', name: words.withoutPin },
        ]}
        value={how}
        onChange={setHow}
      />
      <SheetForm
        check={check}
        send={() => onChoose(how === 'pin' ? { protection: 'pin', pin } : { protection: 'file' })}
        failedTitle={words.protectFailed}
        failureWords={errorMessage}
        submitLabel={submitLabel}
      >
        {how === 'pin' ? (
          <>
            <TextField
              label={words.newPin}
              hint={words.pinHint}
              kind="password"
              value={pin}
              onChange={setPin}
              autoComplete="new-password"
              autoFocus
              error={errors.pin}
            />
            <TextField
              label={words.pinAgain}
              kind="password"
              value={again}
              onChange={setAgain}
              autoComplete="new-password"
              error={errors.again}
            />
          </>
        ) : (
          <Notice tone="warn" title={words.noPinTitle}>
            {words.noPinHint}
          </Notice>
        )}
      </SheetForm>
    </>
  );
}
