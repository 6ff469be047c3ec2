import { useId } from 'react';
import { Redirect, useLocation } from 'wouter';

import type { WikiPage } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { wikiLimits } from '#shared/api/wikis.ts';

import { Page } from '../shell/page.tsx';
import { pageAddress } from './page-address.ts';
import { PageForm, tooLong } from './page-form.tsx';
import { PageGone } from './page-gone.tsx';
import styles from './pages.module.css';
import { useTypedPage } from './use-typed-page.ts';

/** Editor for a translation, beside the original text. */
export function TranslateScreen({ wikiid, langid }: { wikiid: string; langid: string }) {
  const page = useLive('page', wikiid);
  const { user } = useLive('session');
  if (page === null) return <PageGone />;
  if (!page.translatable.includes(langid)) return <Redirect to={pageAddress(page.wikiid)} replace />;
  return (
    <Translate key={langid} page={page} langid={langid} id={`${user?.userid ?? 0}.${wikiid}.${langid}`} />
  );
}

const blank = { name: '', displayTitle: '', description: '', contents: '' };

function Translate({ page, langid, id }: { page: WikiPage; langid: string; id: string }) {
  const actions = useActions();
  const [, navigate] = useLocation();
  const heading = useId();
  const typed = useTypedPage(id, blank);
  const { displayTitle, description, contents } = typed.text;
  const save = async () => {
    const made = await actions.translatePage(page.wikiid, langid, { displayTitle, description, contents });
    typed.forget();
    showToast(text.pages.saved);
    navigate(pageAddress(made), { replace: true });
  };
  return (
    <Page title={text.pages.translateTitle(page.displayTitle, text.pages.languageName(langid))}>
      <PageForm
        typed={typed}
        saveLabel={text.pages.saveTranslation}
        onSave={save}
        back={pageAddress(page.wikiid)}
        isIncomplete={displayTitle.trim() === '' || contents.trim() === ''}
      >
        <section className={classNames(styles, 'source')} aria-labelledby={heading}>
          <h2 id={heading}>{text.pages.original}</h2>
          <p className={classNames(styles, 'sourceTitle')}>{page.text.displayTitle}</p>
          {page.text.description !== '' && <p>{page.text.description}</p>}
          {page.text.contents !== '' && <pre>{page.text.contents}</pre>}
        </section>
        <TextField
          label={text.pages.shownTitle}
          isRequired
          value={displayTitle}
          onChange={(next) => typed.change({ displayTitle: next })}
          error={tooLong(displayTitle, wikiLimits.title)}
        />
      </PageForm>
    </Page>
  );
}
