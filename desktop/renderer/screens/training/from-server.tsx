import { Suspense, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import type { ServerValue } from '../site/use-server-value.ts';

/** Renders a value of the server, a loading indicator or the error. */
export function FromServer<T>({
  from,
  children,
}: {
  from: ServerValue<T>;
  children: (value: T) => ReactNode;
}) {
  const { connection } = useLive('syncState');
  const loading = <Loading label={text.training.loading} />;
  // Without the boundary, content that waits for local data would hide the whole screen again.
  if (from.value !== null) return <Suspense fallback={loading}>{children(from.value)}</Suspense>;
  if (from.failure === null) return loading;
  return (
    <Notice
      tone="warn"
      title={connection === 'offline' ? text.training.offline : text.training.needsServer}
      action={<Button onPress={from.reload}>{text.training.tryAgain}</Button>}
    >
      {from.failure}
    </Notice>
  );
}
