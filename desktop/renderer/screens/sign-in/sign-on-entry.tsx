import { KeyRound } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

import type { SignOnEntry as Entry } from './use-sign-on-entry.ts';
import { useProvider } from './use-sign-on-entry.ts';

/** The way in at the identity provider of a server; there where the server has one. */
export function SignOnEntry({ server, entry }: { server: string; entry: Entry }) {
  const provider = useProvider(server);
  const { state } = entry;
  return (
    <>
      {state.kind === 'none' && state.failure !== null && (
        <Notice tone="danger" title={text.signIn.failed}>
          {state.failure}
        </Notice>
      )}
      {state.kind === 'waiting' && (
        <Notice tone="info" title={text.signIn.signOnWaiting}>
          <a href={state.url} target="_blank" rel="noopener noreferrer">
            {text.signIn.signOnOpenAgain}
          </a>
        </Notice>
      )}
      {state.kind === 'waiting' ? (
        <Button size="large" wide onPress={entry.cancel}>
          {text.app.cancel}
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
            {text.signIn.signOnWith(provider)}
          </Button>
        )
      )}
    </>
  );
}
