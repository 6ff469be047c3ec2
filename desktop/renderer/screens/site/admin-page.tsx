import { LockKeyhole } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import type { ServerValue } from './use-server-value.ts';

interface AdminPageProps<T> {
  title: string;
  lead: string;
  actions?: ReactNode;
  from: ServerValue<T>;
  /** Heading of the error message. */
  failedTitle?: string;
  /** Shown instead of the content if the server is not asked. */
  unasked?: ReactNode;
  children: (value: T) => ReactNode;
}

/** A page for administrators, with data that only the server has. */
export function AdminPage<T>({ title, lead, actions, from, children, ...words }: AdminPageProps<T>) {
  const { user } = useLive('session');
  if (user === null || !user.privileges.includes('Admin'))
    return (
      <EmptyPage
        title={title}
        reason={text.site.sectionHint}
        icon={<LockKeyhole />}
        wayOut={{ href: '/settings', words: text.app.settings }}
      >
        {text.editor.cannotEditHint}
      </EmptyPage>
    );
  return (
    <Page title={title} lead={lead} actions={actions}>
      {words.unasked ?? <LoadState from={from} failedTitle={words.failedTitle ?? text.site.failed} />}
      {from.value !== null && (
        // Without the boundary, content that waits for local data would hide the whole screen again.
        <Suspense fallback={<Loading label={text.site.loading} />}>{children(from.value)}</Suspense>
      )}
    </Page>
  );
}

/** Loading indicator, or the error. */
function LoadState({
  from,
  failedTitle,
}: {
  from: Pick<ServerValue<unknown>, 'value' | 'failure' | 'reload'>;
  failedTitle: string;
}) {
  if (from.failure === null) return from.value === null ? <Loading label={text.site.loading} /> : null;
  return (
    <Notice tone="warn" title={failedTitle} action={<Button onPress={from.reload}>{text.site.again}</Button>}>
      {from.failure}
    </Notice>
  );
}
