import { useState, type ReactNode } from 'react';

import type { Engine } from '#desktop/engine/engine.ts';
import type { KeyState, OpenKey } from '#desktop/ipc.ts';
import { EngineProvider } from '#desktop/renderer/engine-context.tsx';
import type { KeyBridge, LockedKey } from '#desktop/renderer/platform/device-key.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { SheetForm } from '../sign-in/sheet-form.tsx';
import { Sheet } from '../sign-in/sheet.tsx';
import { ProtectForm } from './protect-form.tsx';
import { RecoverScreen } from './recover-screen.tsx';

const words = text.unlock;

interface UnlockProps {
  bridge: KeyBridge;
  first: Exclude<KeyState, { state: 'open' }>;
  onOpen: (key: OpenKey) => void;
  /** Opens an engine that stores nothing, for a sign-in while the device is locked. */
  openEngine: () => Promise<Engine>;
}

/** Everything before the encrypted work can be opened: choosing its protection, unlocking and recovering it. */
export function UnlockScreen({ bridge, first, onOpen, openEngine }: UnlockProps) {
  const [state, setState] = useState(first);
  const [engine, setEngine] = useState<Engine | null>(null);
  const { act, busy } = useAsyncAction();
  const take = (next: KeyState) => (next.state === 'open' ? onOpen(next) : setState(next));
  const setAside = () => act(async () => take(await bridge.keySetAside()));
  if (state.state === 'new') return <ProtectScreen bridge={bridge} onOpen={onOpen} />;
  if (state.state === 'unreadable')
    return (
      <Sheet title={words.unreadable} lead={words.unreadableHint[state.kind]}>
        <Button
          tone="primary"
          size="large"
          wide
          isPending={busy}
          onPress={() => act(async () => take(await bridge.keyState()))}
        >
          {words.tryAgain}
        </Button>
        <SetAside onConfirm={setAside} isPending={busy} />
      </Sheet>
    );
  if (engine !== null)
    return (
      <EngineProvider engine={engine}>
        <RecoverScreen bridge={bridge} state={state} onOpen={onOpen} onBack={() => setEngine(null)} />
      </EngineProvider>
    );
  const recover = () => act(async () => setEngine(await openEngine()));
  return (
    <LockedScreen state={state} bridge={bridge} onState={take}>
      {state.recoverable.length > 0 ? (
        <Button onPress={recover} isPending={busy}>
          {state.reason === 'pin' ? words.forgot : words.recoverTitle}
        </Button>
      ) : (
        <>
          <Notice tone="info" title={words.noRecovery}>
            {words.noRecoveryHint}
          </Notice>
          <SetAside onConfirm={setAside} isPending={busy} />
        </>
      )}
    </LockedScreen>
  );
}

function ProtectScreen({ bridge, onOpen }: Pick<UnlockProps, 'bridge' | 'onOpen'>) {
  return (
    <Sheet title={words.protectTitle} lead={words.protectLead}>
      <ProtectForm
        submitLabel={words.protect}
        onChoose={async (choice) => {
          onOpen(await bridge.keyCreate(choice));
        }}
      />
    </Sheet>
  );
}

interface LockedProps {
  state: LockedKey;
  bridge: KeyBridge;
  onState: (state: KeyState) => void;
  children: ReactNode;
}

function LockedScreen({ state, bridge, onState, children }: LockedProps) {
  const { act, busy } = useAsyncAction();
  if (state.reason === 'system')
    return (
      <Sheet title={words.systemTitle} lead={words.systemHint}>
        <Button
          tone="primary"
          size="large"
          wide
          isPending={busy}
          onPress={() => act(async () => onState(await bridge.keyState()))}
        >
          {words.tryAgain}
        </Button>
        {children}
      </Sheet>
    );
  return (
    <Sheet title={words.title} lead={words.lead}>
      <PinForm bridge={bridge} onState={onState} />
      {children}
    </Sheet>
  );
}

function PinForm({ bridge, onState }: Pick<LockedProps, 'bridge' | 'onState'>) {
  const [pin, setPin] = useState('');
  const [error, setError] = useState<string | undefined>();
  const check = () => {
    setError(pin === '' ? words.needPin : undefined);
    return pin !== '';
  };
  const send = async () => {
    const next = await bridge.keyUnlock(pin);
    if (next.state === 'locked') {
      setError(next.waitSeconds > 0 ? words.wait(next.waitSeconds) : words.wrongPin);
      setPin('');
    }
    onState(next);
  };
  return (
    <SheetForm
      check={check}
      send={send}
      failedTitle={words.unlockFailed}
      failureWords={errorMessage}
      submitLabel={words.unlock}
    >
      <TextField
        label={words.pin}
        kind="password"
        value={pin}
        onChange={setPin}
        autoComplete="current-password"
        autoFocus
        error={error}
      />
    </SheetForm>
  );
}

function SetAside({ onConfirm, isPending }: { onConfirm: () => void; isPending: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone="quiet" onPress={() => setOpen(true)} isPending={isPending}>
        {words.setAside}
      </Button>
      <ConfirmDialog
        title={words.setAsideTitle}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel={words.setAsideConfirm}
        cancelLabel={words.cancel}
        onConfirm={onConfirm}
      >
        {words.setAsideHint}
      </ConfirmDialog>
    </>
  );
}
