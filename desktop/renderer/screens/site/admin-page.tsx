import { LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';
import type { ServerValue } from './use-server-value.ts';

interface AdminPageProps<T> {
  title: string;
  lead: string;
  from: ServerValue<T>;
  children: (value: T) => ReactNode;
}

/** A page of an administrator: what it shows is on the server alone. */
export function AdminPage<T>({ title, lead, from, children }: AdminPageProps<T>) {
  const { user } = useLive('session');
  if (user === null || !user.privileges.includes('Admin'))
    return (
      <Page title={title} hideTitle>
        <EmptyState
          icon={<LockKeyhole />}
          title={text.site.sectionHint}
          action={<ButtonLink href="/settings">{text.app.settings}</ButtonLink>}
        >
          {text.editor.cannotEditHint}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={title} lead={lead}>
      {from.failure !== null && (
        <Notice
          tone="warn"
          title={text.site.failed}
          action={<Button onPress={from.again}>{text.site.again}</Button>}
        >
          {from.failure}
        </Notice>
      )}
      {from.value === null
        ? from.failure === null && <Loading label={text.site.loading} />
        : children(from.value)}
    </Page>
  );
}
