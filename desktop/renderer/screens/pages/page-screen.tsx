import { Eye, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { WikiPage } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Cover, WithSide } from '#desktop/renderer/ui/panel.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { Comments } from '../player/comments.tsx';
import { Page } from '../shell/page.tsx';
import { PageGone } from './page-gone.tsx';
import { PageSide } from './page-side.tsx';
import { pageAddress } from './page-address.ts';
import styles from './pages.module.css';

/** A page of the site, with its authors. */
export function PageScreen({ wikiid }: { wikiid: string }) {
  const page = useLive('page', wikiid);
  const now = useNow();
  if (page === null) return <PageGone />;
  return (
    <Page
      title={page.displayTitle}
      over={<Breadcrumb page={page} />}
      lead={page.description}
      actions={<PageActions page={page} />}
    >
      <WithSide side={<PageSide page={page} />}>
        <EditNotice page={page} />
        {page.imageGuid !== null && (
          <Cover>
            <Picture guid={page.imageGuid} size="large" alt="" fit="cover" />
          </Cover>
        )}
        {page.html === '' ? <Note>{text.pages.blank}</Note> : <RichHtml html={page.html} size="line" />}
        <Note>{text.pages.by(page.author, formatSince(page.modifiedAt, now))}</Note>
        <Comments context="wiki" contextid={page.wikiid} comments={page.comments} />
      </WithSide>
    </Page>
  );
}

/** Breadcrumb above the title: the kind of the page, and the parent of a category. */
function Breadcrumb({ page: { namespace, parent } }: { page: WikiPage }) {
  const isListed = namespace !== 'USER' && namespace !== 'TEAM';
  return (
    <p className={classNames(styles, 'over')}>
      {isListed ? (
        <Link href={`/pages?kind=${namespace}`}>{text.pages.kinds[namespace]}</Link>
      ) : (
        text.pages.one[namespace]
      )}
      {parent !== null && (
        <>
          <span aria-hidden="true">›</span>
          <Link href={pageAddress(parent.wikiid)}>{parent.displayTitle}</Link>
        </>
      )}
    </p>
  );
}

function PageActions({ page }: { page: WikiPage }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [, navigate] = useLocation();
  const [isAsking, setIsAsking] = useState(false);
  const remove = () =>
    act(async () => {
      await actions.deletePage(page.wikiid);
      showToast(text.pages.removed);
      navigate('/pages');
    });
  return (
    <>
      {page.namespace === 'CATEGORY' && (
        <ButtonLink href={`/library/${encodeURIComponent(page.title)}`}>{text.pages.guides}</ButtonLink>
      )}
      {page.canPatrol && (
        <Button
          icon={<Eye aria-hidden="true" />}
          onPress={() =>
            act(async () => {
              await actions.patrolPage(page.wikiid);
              showToast(text.pages.patrolled);
            })
          }
        >
          {text.pages.patrolIt}
        </Button>
      )}
      {page.canDelete && page.editState !== 'conflict' && (
        <Button icon={<Trash2 aria-hidden="true" />} onPress={() => setIsAsking(true)}>
          {text.pages.remove}
        </Button>
      )}
      {page.canEdit && (
        <ButtonLink
          tone="primary"
          icon={<Pencil aria-hidden="true" />}
          href={`${pageAddress(page.wikiid)}/edit`}
        >
          {text.pages.edit}
        </ButtonLink>
      )}
      <ConfirmDialog
        title={text.pages.removeTitle(page.displayTitle)}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={text.pages.remove}
        cancelLabel={text.app.cancel}
        onConfirm={remove}
      >
        {text.pages.removeBody}
      </ConfirmDialog>
    </>
  );
}

/** Edits that are not visible to others yet. */
function EditNotice({ page }: { page: WikiPage }) {
  const { editState, patrol } = page;
  if (editState === 'conflict')
    return (
      <Notice
        tone="warn"
        title={text.pages.editStates.conflict}
        action={<ButtonLink href={`/sync/conflicts/wiki:${page.wikiid}`}>{text.pages.decide}</ButtonLink>}
      />
    );
  if (editState === 'parked')
    return (
      <Notice
        tone="warn"
        title={text.pages.editStates.parked}
        action={<ButtonLink href="/sync">{text.pages.lookAtIt}</ButtonLink>}
      />
    );
  if (editState === 'queued') return <Notice tone="info" title={text.pages.editStates.queued} />;
  return patrol === 'none' ? null : <Notice tone="info" title={text.pages.patrol[patrol]} />;
}
