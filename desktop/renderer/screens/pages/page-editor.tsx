import { BookOpen } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';

import type { WikiPage } from '#desktop/engine/views/page-records.ts';
import { wikiContext } from '#desktop/engine/views/rendering.ts';
import { canCreatePages } from '#desktop/engine/views/wiki-access.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { wikiLimits } from '#shared/api/wikis.ts';

import { WikiTextField } from '../editor/wiki-text-field.tsx';
import { Page } from '../shell/page.tsx';
import { kindOf, listedKinds, pageAddress, type ListedKind } from './page-address.ts';
import { PageGone } from './page-screen.tsx';
import styles from './pages.module.css';
import { useKeptText, type KeptText } from './use-kept-text.ts';

/** The pens for a page that is there. */
export function PageEditor({ wikiid }: { wikiid: string }) {
  const page = useLive('page', wikiid);
  const { user } = useLive('session');
  if (page === null) return <PageGone />;
  if (!page.canEdit) return <MayNot href={pageAddress(page.wikiid)} />;
  return <EditPage key={page.wikiid} page={page} id={`${user?.userid ?? 0}.${page.wikiid}`} />;
}

function MayNot({ href }: { href: string }) {
  return (
    <Page title={text.pages.mayNotEdit} hideTitle>
      <EmptyState
        icon={<BookOpen />}
        title={text.pages.mayNotEdit}
        action={<ButtonLink href={href}>{text.app.back}</ButtonLink>}
      >
        {text.pages.mayNotEditHint}
      </EmptyState>
    </Page>
  );
}

function EditPage({ page, id }: { page: WikiPage; id: string }) {
  const actions = useActions();
  const [, navigate] = useLocation();
  // What the page said when the person began: later versions are brought together by the save.
  const [start] = useState(() => ({ ...page.text, name: page.title }));
  const typed = useKeptText(id, start);
  const back = pageAddress(page.wikiid);
  const save = async () => {
    const { name: _name, ...words } = typed.text;
    await actions.savePage(page.wikiid, words);
    typed.forget();
    showToast(text.pages.saved);
    navigate(back);
  };
  return (
    <Page title={text.pages.editTitle(page.displayTitle)}>
      <PageForm typed={typed} saveLabel={text.pages.save} onSave={save} back={back}>
        <TextField
          label={text.pages.shownTitle}
          value={typed.text.displayTitle}
          onChange={(displayTitle) => typed.change({ displayTitle })}
          error={tooLong(typed.text.displayTitle, wikiLimits.title)}
        />
      </PageForm>
    </Page>
  );
}

const blank = { name: '', displayTitle: '', description: '', contents: '' };

/** A page that is not there yet. */
export function NewPage() {
  const actions = useActions();
  const [, navigate] = useLocation();
  const [kind, setKind] = useState<ListedKind>(kindOf(new URLSearchParams(useSearch()).get('kind')));
  const { user } = useLive('session');
  const typed = useKeptText(`${user?.userid ?? 0}.new`, blank);
  if (user === null || !canCreatePages(user.privileges)) return <MayNot href="/pages" />;
  const save = async () => {
    const { name, ...words } = typed.text;
    const wikiid = await actions.createPage(kind, name, words);
    typed.forget();
    showToast(text.pages.saved);
    navigate(pageAddress(wikiid), { replace: true });
  };
  return (
    <Page title={text.pages.newTitle}>
      <PageForm
        typed={typed}
        saveLabel={text.pages.create}
        onSave={save}
        back={`/pages?kind=${kind}`}
        isIncomplete={typed.text.name.trim() === ''}
      >
        <SelectField
          label={text.pages.newKind}
          choices={listedKinds.map((one) => ({ id: one, name: text.pages.one[one] }))}
          placeholder={text.pages.newKind}
          value={kind}
          onChange={(id) => setKind(kindOf(id))}
        />
        <TextField
          label={text.pages.name}
          hint={text.pages.nameHint}
          isRequired
          value={typed.text.name}
          onChange={(name) => typed.change({ name })}
          error={tooLong(typed.text.name, wikiLimits.title)}
        />
      </PageForm>
    </Page>
  );
}

interface PageFormProps {
  typed: KeptText;
  saveLabel: string;
  onSave: () => Promise<void>;
  back: string;
  isIncomplete?: boolean;
  /** The title's fields. */
  children: ReactNode;
}

function PageForm({ typed, saveLabel, onSave, back, isIncomplete = false, children }: PageFormProps) {
  const { act, busy } = useAct();
  const [, navigate] = useLocation();
  const [isAsking, setIsAsking] = useState(false);
  const wiki = useWikiContext();
  const { description, contents } = typed.text;
  const leave = () => {
    typed.forget();
    navigate(back);
  };
  return (
    <div className={classNames(styles, 'form')}>
      {typed.wasKept && <Notice tone="info" title={text.pages.kept} />}
      {children}
      <TextField
        label={text.pages.description}
        hint={text.pages.descriptionHint}
        kind="long"
        value={description}
        onChange={(next) => typed.change({ description: next })}
        error={tooLong(description, wikiLimits.description)}
      />
      <WikiTextField
        label={text.pages.contents}
        hint={text.pages.contentsHint}
        value={contents}
        onChange={(next) => typed.change({ contents: next })}
        error={tooLong(contents, wikiLimits.text)}
        wiki={wiki}
      />
      <div className={classNames(styles, 'bar')}>
        <Button size="large" onPress={() => (typed.isDirty ? setIsAsking(true) : leave())}>
          {typed.isDirty ? text.pages.discard : text.app.cancel}
        </Button>
        <Button
          tone="primary"
          size="large"
          onPress={() => act(onSave)}
          isDisabled={isIncomplete}
          isPending={busy}
        >
          {saveLabel}
        </Button>
      </div>
      <ConfirmDialog
        title={text.pages.discardTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={text.pages.discard}
        cancelLabel={text.app.cancel}
        onConfirm={leave}
      >
        {text.pages.discardBody}
      </ConfirmDialog>
    </div>
  );
}

function tooLong(words: string, most: number): string | undefined {
  return words.length > most ? text.pages.tooLong(most) : undefined;
}

function useWikiContext() {
  const { server } = useLive('session');
  const { guides } = useLive('library', { category: null });
  return useMemo(
    () => wikiContext(server ?? '', new Map(guides.map((guide) => [guide.guideid, guide.title]))),
    [server, guides],
  );
}
