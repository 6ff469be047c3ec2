import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';

import type { WikiPage } from '#desktop/engine/api/page-records.ts';
import { canCreatePages } from '#desktop/engine/features/records/wiki-access.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { wikiLimits } from '#shared/api/wikis.ts';

import { NotPermitted } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { kindOf, listedKinds, pageAddress, type ListedKind } from './page-address.ts';
import { PageForm, tooLong } from './page-form.tsx';
import { PageParts } from './page-parts.tsx';
import { PageGone } from './page-gone.tsx';
import { useTypedPage } from './use-typed-page.ts';

/** Editor for an existing page. */
export function PageEditor({ wikiid }: { wikiid: string }) {
  const page = useLive('page', wikiid);
  const { user } = useLive('session');
  if (page === null) return <PageGone />;
  if (!page.canEdit) return <NotPermitted href={pageAddress(page.wikiid)} />;
  return <EditPage key={page.wikiid} page={page} id={`${user?.userid ?? 0}.${page.wikiid}`} />;
}

function EditPage({ page, id }: { page: WikiPage; id: string }) {
  const actions = useActions();
  const [, navigate] = useLocation();
  // The text of the page when editing began; the save merges later versions.
  const [start] = useState(() => ({ ...page.text, name: page.title }));
  const { wikiid, newestRevisionid } = page;
  const typed = useTypedPage(id, start, { wikiid, revisionid: newestRevisionid });
  const back = pageAddress(page.wikiid);
  const save = async () => {
    const { name: _name, ...words } = typed.text;
    await actions.savePage(page.wikiid, words, typed.began);
    typed.forget();
    showToast(text.pages.saved);
    navigate(back);
  };
  return (
    <Page title={text.pages.editTitle(page.displayTitle)}>
      <PageForm
        typed={typed}
        saveLabel={text.pages.save}
        onSave={save}
        back={back}
        parts={<PageParts page={page} typed={typed} />}
      >
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

/** Editor for a new page. */
export function NewPage() {
  const actions = useActions();
  const [, navigate] = useLocation();
  const [kind, setKind] = useState<ListedKind>(kindOf(new URLSearchParams(useSearch()).get('kind')));
  const { user } = useLive('session');
  const typed = useTypedPage(`${user?.userid ?? 0}.new`, blank);
  if (user === null || !canCreatePages(user.privileges)) return <NotPermitted href="/pages" />;
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
