import { Redirect, useLocation } from 'wouter';

import type { PersonProfile, TeamProfile } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { wikiLimits } from '#shared/api/wikis.ts';

import { pageAddress } from '../pages/page-address.ts';
import { NotPermitted } from '../shell/empty-page.tsx';
import { PageForm, tooLong } from '../pages/page-form.tsx';
import { useTypedPage } from '../pages/use-typed-page.ts';
import { Page } from '../shell/page.tsx';
import { Gone } from './gone.tsx';

/** Editor for a person's own page. */
export function PersonPage({ userid }: { userid: string }) {
  const person = useLive('person', Number(userid));
  return <OwnPage of={person} namespace="USER" id={userid} back={`/people/${userid}`} />;
}

/** Editor for a team's own page. */
export function TeamPage({ teamid }: { teamid: string }) {
  const team = useLive('team', Number(teamid));
  return <OwnPage of={team} namespace="TEAM" id={teamid} back={`/teams/${teamid}`} />;
}

interface OwnPageProps {
  of: PersonProfile | TeamProfile | null;
  namespace: 'USER' | 'TEAM';
  /** Also the title of the page. */
  id: string;
  back: string;
}

function OwnPage({ of, ...place }: OwnPageProps) {
  if (of === null) return <Gone />;
  if (of.pageid !== null) return <Redirect to={pageAddress(of.pageid)} replace />;
  if (!of.canWritePage) return <NotPermitted href={place.back} />;
  return <NewOwnPage name={of.name} {...place} />;
}

const blank = { name: '', displayTitle: '', description: '', contents: '' };

function NewOwnPage({ name, namespace, id, back }: Omit<OwnPageProps, 'of'> & { name: string }) {
  const actions = useActions();
  const [, navigate] = useLocation();
  const { user } = useLive('session');
  const typed = useTypedPage(`${user?.userid ?? 0}.${namespace}.${id}`, blank);
  const save = async () => {
    const { name: _name, ...words } = typed.text;
    const wikiid = await actions.createPage(namespace, id, words);
    typed.forget();
    showToast(text.pages.saved);
    navigate(pageAddress(wikiid), { replace: true });
  };
  return (
    <Page title={text.people.pageOf(name)}>
      <PageForm
        typed={typed}
        saveLabel={text.pages.create}
        onSave={save}
        back={back}
        isIncomplete={typed.text.contents.trim() === ''}
      >
        <TextField
          label={text.pages.shownTitle}
          hint={text.people.pageTitleHint(name)}
          value={typed.text.displayTitle}
          onChange={(displayTitle) => typed.change({ displayTitle })}
          error={tooLong(typed.text.displayTitle, wikiLimits.title)}
        />
      </PageForm>
    </Page>
  );
}
