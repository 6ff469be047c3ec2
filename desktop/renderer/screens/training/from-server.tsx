import type { ReactNode } from 'react';

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
  if (from.value !== null) return children(from.value);
  if (from.failure === null) return <Loading label={text.training.loading} />;
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
