import { TriangleAlert } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { Loading } from '#desktop/renderer/ui/loading.tsx';

/** Shown if the device's storage could not be opened; nothing is lost by trying again. */
export function StartFailed({ error }: { error: unknown }) {
  return (
    <main>
      <title>{text.app.name}</title>
      <EmptyState
        icon={<TriangleAlert />}
        title={text.app.startFailed}
        action={
          <Button tone="primary" onPress={() => location.reload()}>
            {text.app.tryAgain}
          </Button>
        }
      >
        {`${text.app.startFailedHint} ${errorMessage(error)}`}
      </EmptyState>
    </main>
  );
}

/** Shown between the start of the app and its first screen. */
export function Restoring() {
  return (
    <main>
      <title>{text.app.name}</title>
      <Loading label={text.app.restoring} />
    </main>
  );
}
