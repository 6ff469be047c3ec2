import { useEffect, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import type { IpcArgs, OpenKey } from '#desktop/ipc.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { accountName, type KeyBridge, rememberName } from '#desktop/renderer/platform/device-key.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { ProtectForm } from './protect-form.tsx';

const words = text.unlock;

/** How the work on this device is protected, and a way to change it. Nothing in a browser, which encrypts nothing. */
export function Protection() {
  const [bridge] = useState(() => findBridge());
  const [key, setKey] = useState<OpenKey | null>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const read = async () => {
      const state = await bridge?.keyState();
      if (state?.state === 'open') setKey(state);
    };
    void read();
  }, [bridge]);
  const { act, busy } = useAsyncAction();
  if (bridge === undefined || key === null || key.protection === null) return null;
  const protect = async (choice: IpcArgs<'keyProtect'>[0]) => {
    setKey(await bridge.keyProtect(choice));
    setOpen(false);
    showToast(words.changed);
  };
  const pinLabel = key.protection === 'pin' ? words.changePin : words.setPin;
  return (
    <SectionCard title={words.section}>
      <p>{words.protection[key.protection]}</p>
      <p>{words.recovery(key.recoverable.map(accountName))}</p>
      <Row>
        <Button onPress={() => setOpen(true)}>{pinLabel}</Button>
        {key.hasSystem && key.protection !== 'system' && (
          <Button isPending={busy} onPress={() => act(() => protect({ protection: 'system' }))}>
            {words.useKeyring}
          </Button>
        )}
      </Row>
      <Dialog
        title={pinLabel}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        closeLabel={words.cancel}
        actions={null}
      >
        <ProtectForm submitLabel={words.save} onChoose={protect} />
      </Dialog>
    </SectionCard>
  );
}

/** After each sign-in, lets the server keep a second key for this device. */
export function KeyKeeper() {
  const { status, user, home } = useLive('session');
  const actions = useActions();
  const userid = user?.userid;
  const username = user?.username;
  useEffect(() => {
    const bridge = findBridge();
    if (bridge === undefined || status !== 'signed-in' || userid === undefined) return;
    // Without a network, and with a session that is no longer new, the next sign-in does it.
    keepSecondKey(bridge, actions, username ?? '').catch(() => undefined);
  }, [status, userid, username, home, actions]);
  return null;
}

async function keepSecondKey(bridge: KeyBridge, actions: Actions, username: string): Promise<void> {
  const state = await bridge.keyState();
  if (state.state !== 'open') return;
  const kept = await actions.deviceSecret(state.device, state.recoverable);
  if (kept === null) return;
  await bridge.keyAddRecovery(kept);
  rememberName(kept, username);
}
