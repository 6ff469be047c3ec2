import { useEffect, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import type { OpenKey } from '#desktop/ipc.ts';
import { accountName, type KeyBridge, type LockedKey } from '#desktop/renderer/platform/device-key.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Sheet } from '../sign-in/sheet.tsx';
import { SignInForm } from '../sign-in/sign-in-screen.tsx';
import { ProtectForm } from './protect-form.tsx';

const words = text.unlock;

interface RecoverProps {
  bridge: KeyBridge;
  state: LockedKey;
  onOpen: (key: OpenKey) => void;
  onBack: () => void;
}

/** Unlocks the device with the second key, which the server keeps: a sign-in, and then a new protection. */
export function RecoverScreen({ bridge, state, onOpen, onBack }: RecoverProps) {
  const actions = useActions();
  const { status, servers } = useLive('session');
  const [failure, setFailure] = useState<string | null>(null);
  const [opened, setOpened] = useState<OpenKey | null>(null);
  const isSignedIn = status === 'signed-in';
  useEffect(() => {
    if (!isSignedIn) return;
    const recover = async () => {
      setFailure(null);
      try {
        const kept = await actions.deviceSecret(state.device);
        // The server may have another address by now.
        const known = state.recoverable.find(({ account }) => account === kept?.account);
        const next = kept === null ? null : await bridge.keyRecover({ ...kept, ...known });
        if (next?.state === 'open') setOpened(next);
        else setFailure(kept === null ? words.recoverRefused : words.recoverFailedHint);
      } catch (error) {
        setFailure(errorMessage(error));
      }
      // The session served only this purpose.
      await actions.signOut('remove').catch(() => undefined);
    };
    void recover();
  }, [isSignedIn, actions, bridge, state]);
  if (opened?.protection === null)
    return (
      <Sheet title={words.protectTitle} lead={words.protectLead}>
        <ProtectForm
          submitLabel={words.protect}
          onChoose={async (choice) => {
            onOpen(await bridge.keyProtect(choice));
          }}
        />
      </Sheet>
    );
  return (
    <Sheet title={words.recoverTitle} lead={words.recoverLead(state.recoverable.map(accountName))}>
      {failure !== null && (
        <Notice tone="danger" title={words.recoverFailed}>
          {failure}
        </Notice>
      )}
      {isSignedIn ? (
        <Loading label={words.recovering} />
      ) : (
        <SignInForm first={state.recoverable[0]?.origin ?? null} servers={servers} />
      )}
      {opened !== null && <Continue onContinue={() => onOpen(opened)} />}
      <Button tone="quiet" onPress={onBack}>
        {words.back}
      </Button>
    </Sheet>
  );
}

/** A key that protects itself again, such as one of a working keyring, needs no choice. */
function Continue({ onContinue }: { onContinue: () => void }) {
  useEffect(onContinue, [onContinue]);
  return null;
}
