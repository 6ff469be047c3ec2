import { KeyRound } from 'lucide-react';

import { appText } from '#desktop/renderer/text/en/app.ts';
import { signInText } from '#desktop/renderer/text/en/sign-in.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

import { type SignOnEntry as Entry, useProvider } from './use-sign-on-entry.ts';

/** Button for a sign-in at the identity provider; hidden if the server has none. */
export function SignOnEntry({ server, entry }: { server: string; entry: Entry }) {
  const provider = useProvider(server);
  const { state } = entry;
  const failure = state.kind === 'none' ? state.failure : null;
  const unproved = failure?.unproved ?? null;
  return (
    <>
      {failure !== null && (
        <Notice
          tone="danger"
          title={signInText.failed}
          action={
            unproved !== null && (
              // The code is already used, so the sign-in begins again at the identity provider.
              <Button onPress={() => entry.begin(unproved, true)}>{signInText.beginAnew}</Button>
            )
          }
        >
          {failure.words}
        </Notice>
      )}
      {state.kind === 'waiting' && (
        <Notice tone="info" title={signInText.signOnWaiting}>
          <a href={state.url} target="_blank" rel="noopener noreferrer">
            {signInText.signOnOpenAgain}
          </a>
        </Notice>
      )}
      {state.kind === 'waiting' ? (
        <Button size="large" wide onPress={entry.cancel}>
          {appText.cancel}
        </Button>
      ) : (
        provider !== null && (
          <Button
            size="large"
            wide
            icon={<KeyRound aria-hidden="true" />}
            isPending={state.kind === 'busy'}
            onPress={() => entry.begin(server)}
          >
            {signInText.signOnWith(provider)}
          </Button>
        )
      )}
    </>
  );
}
