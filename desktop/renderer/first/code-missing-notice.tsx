import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';

import { loadFailureWords } from '#desktop/renderer/load-failed.ts';
import { signInText } from '#desktop/renderer/text/en/sign-in.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

import type { ComingEngine } from './coming-engine.ts';
import { isReplaced } from './load-rest.ts';

interface LoadProps {
  onLoad: ComingEngine['open'];
}

/** Says at the sign-in that the rest of the app could not be loaded. `onReload`: called before the page is loaded again. */
export function CodeMissingNotice({ onLoad, onReload }: LoadProps & { onReload: () => void }) {
  return (
    <Notice
      tone="danger"
      title={signInText.codeMissing}
      action={<LoadAgain onLoad={onLoad} onReload={onReload} />}
    >
      {signInText.codeMissingHint}
    </Notice>
  );
}

/** Says instead of a screen that the code of the app could not be loaded. */
export function CodeMissingPage({ onLoad }: LoadProps) {
  const words = loadFailureWords();
  return (
    <main role="alert">
      <EmptyState
        icon={<TriangleAlert />}
        title={words.title}
        action={<LoadAgain onLoad={onLoad} tone="primary" />}
      >
        {words.hint}
      </EmptyState>
    </main>
  );
}

interface LoadAgainProps extends LoadProps {
  onReload?: () => void;
  tone?: 'plain' | 'primary';
}

/**
 * Loads the rest of the app again.
 *
 * - FIRST-3 If the server has another version of the app by now, whose code this page cannot use, the page is loaded again.
 *   The sign-in keeps address and e-mail then; a password is never stored.
 */
function LoadAgain({ onLoad, onReload = () => undefined, tone = 'plain' }: LoadAgainProps) {
  const [isBusy, setBusy] = useState(false);
  const load = async () => {
    setBusy(true);
    try {
      await onLoad();
    } catch {
      if (await isReplaced()) {
        onReload();
        location.reload();
      }
      setBusy(false);
    }
  };
  return (
    <Button tone={tone} onPress={() => void load()} isPending={isBusy}>
      {loadFailureWords().again}
    </Button>
  );
}
