import { useState } from 'react';
import { useLocation } from 'wouter';

import type { PersonProfile } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedProfile, type EditedProfile } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { FieldGroup } from '#desktop/renderer/ui/field-group.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { profileLimits } from '#shared/api/users.ts';

import { WikiTextField } from '../editor/wiki-text-field.tsx';
import { FormNotices } from '../pages/form-notices.tsx';
import { tooLong, usePageContext } from '../pages/page-form.tsx';
import { PictureField } from '../pages/picture-field.tsx';
import styles from '../pages/pages.module.css';
import { NotPermitted } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { Refused } from './refused.tsx';

/** Editor for the person's own profile. */
export function ProfileScreen() {
  const { user } = useLive('session');
  const person = useLive('person', user?.userid ?? 0);
  if (person === null || person.editable === null) return <NotPermitted href="/people" />;
  return <ProfileForm key={person.userid} person={person} start={person.editable} />;
}

function ProfileForm({ person, start }: { person: PersonProfile; start: EditedProfile }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const wiki = usePageContext();
  const typed = useFormDraft({ id: `profile.${person.userid}`, schema: typedProfile, start });
  const [began] = useState(typed.began.text);
  const { name, uniqueName, summary, about, location, image } = typed.text;
  const back = `/people/${person.userid}`;
  const leave = () => {
    typed.forget();
    navigate(back);
  };
  const save = () =>
    act(async () => {
      await actions.saveProfile(changedIn(began, typed.text));
      showToast(text.app.savedOnDevice);
      leave();
    });
  return (
    <Page title={text.people.editTitle} lead={text.people.editLead}>
      <div className={classNames(styles, 'form')}>
        <FormNotices typed={typed} />
        {person.refused !== null && <Refused words={person.refused} />}
        <TextField
          label={text.people.name}
          isRequired
          value={name}
          onChange={(next) => typed.change({ name: next })}
          error={tooLong(name, profileLimits.username)}
        />
        <TextField
          label={text.people.uniqueName}
          hint={text.people.uniqueNameHint}
          value={uniqueName ?? ''}
          onChange={(next) => typed.change({ uniqueName: next === '' ? null : next })}
        />
        <TextField
          label={text.people.summary}
          hint={text.people.summaryHint}
          value={summary}
          onChange={(next) => typed.change({ summary: next })}
          error={tooLong(summary, profileLimits.summary)}
        />
        <TextField
          label={text.people.location}
          hint={text.people.locationHint}
          value={location}
          onChange={(next) => typed.change({ location: next })}
          error={tooLong(location, profileLimits.location)}
        />
        <WikiTextField
          label={text.people.about}
          hint={text.people.aboutHint}
          value={about}
          onChange={(next) => typed.change({ about: next })}
          error={tooLong(about, profileLimits.about)}
          wiki={wiki}
        />
        <FieldGroup align="start" title={text.pages.picture}>
          <PictureField image={image} onChange={(next) => typed.change({ image: next })} />
        </FieldGroup>
        <div className={classNames(styles, 'bar')}>
          <Button size="large" onPress={leave}>
            {typed.isDirty ? text.pages.discard : text.app.cancel}
          </Button>
          <Button tone="primary" size="large" onPress={save} isDisabled={name.trim() === ''} isPending={busy}>
            {text.people.saveProfile}
          </Button>
        </div>
      </div>
    </Page>
  );
}

/** Only the changed fields, because other people or devices may have changed the rest. */
function changedIn(start: EditedProfile, now: EditedProfile): Partial<EditedProfile> {
  const changed = Object.entries(now).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(start[field as keyof EditedProfile]),
  );
  return Object.fromEntries(changed);
}
