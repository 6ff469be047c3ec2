import { LockKeyhole } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { administrationText } from '#desktop/renderer/text/en/administration.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { WithSide } from '#desktop/renderer/ui/panel.tsx';
import { useAdministers } from '#desktop/renderer/use-administers.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { AdminArea, BackToSections } from '../administration/area.tsx';
import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import type { ServerValue } from './use-server-value.ts';

interface AdminPageProps<T> {
  title: string;
  lead: string;
  actions?: ReactNode;
  /** Above the heading. */
  over?: ReactNode;
  /** Beside the content: facts and help. */
  side?: ReactNode;
  from: ServerValue<T>;
  /** Heading of the error message. */
  failedTitle?: string;
  /** Shown instead of the content if the server is not asked. */
  unasked?: ReactNode;
  /** Leads see it too: the server says what. */
  isForLeads?: true;
  children: (value: T) => ReactNode;
}

/**
 * A section of the administration, with data that only the server has.
 *
 * - ADMIN-4 People who may not see a section are told whom to ask, and get a way out.
 */
export function AdminPage<T>(props: AdminPageProps<T>) {
  const administers = useAdministers();
  const { user } = useLive('session');
  if (administers)
    return (
      <AdminArea>
        <Content {...props} over={props.over ?? <BackToSections />} />
      </AdminArea>
    );
  if (props.isForLeads === true && user?.privileges.includes('Kiosk') === false)
    return <Content {...props} />;
  return (
    <EmptyPage
      title={props.title}
      reason={administrationText.forAdministrators}
      icon={<LockKeyhole />}
      wayOut={{ href: '/', words: text.app.toLibrary }}
    >
      {administrationText.forAdministratorsHint}
    </EmptyPage>
  );
}

function Content<T>({ title, lead, actions, over, side, from, children, ...words }: AdminPageProps<T>) {
  const content = from.value !== null && (
    // Without the boundary, content that waits for local data would hide the whole screen again.
    <Suspense fallback={<Loading label={text.site.loading} />}>{children(from.value)}</Suspense>
  );
  return (
    <Page title={title} lead={lead} over={over} actions={actions}>
      {words.unasked ?? <LoadState from={from} failedTitle={words.failedTitle ?? text.site.failed} />}
      {side === undefined || side === null ? content : <WithSide side={side}>{content}</WithSide>}
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
