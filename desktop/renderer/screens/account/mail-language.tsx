import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { mailLanguageText as words } from '#desktop/renderer/text/en/mail-language.ts';
import { languageName } from '#desktop/renderer/text/language-name.ts';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { useServerValue } from '../site/use-server-value.ts';

/** Languages in which the server has mails. */
const offered = ['en', 'de'];

const mailLanguage = (actions: Actions) => actions.mailLanguage();

/** The language in which the server writes to the person who is signed in. */
export function OwnMailLanguage() {
  const actions = useActions();
  const { value, failure, reload } = useServerValue(mailLanguage);
  if (failure !== null) return <Note>{`${words.failed}. ${failure}`}</Note>;
  if (value === null) return null;
  const save = async (langid: string) => {
    await actions.changeMailLanguage(langid);
    reload();
  };
  return <MailLanguageField value={value} save={save} />;
}

/**
 * Chooses the language in which the server writes to a person.
 *
 * - LANGUAGE-12 A person chooses the language of their mails, and an administrator that of others. One that was set otherwise
 *   and has no mails is shown, too, until another one is chosen.
 */
export function MailLanguageField({
  value,
  save,
}: {
  value: string;
  save: (langid: string) => Promise<void>;
}) {
  const { act, busy } = useAsyncAction();
  const known = offered.includes(value) ? offered : [value, ...offered];
  return (
    <SelectField
      label={words.label}
      placeholder={words.placeholder}
      choices={known.map((id) => ({ id, name: languageName(id) }))}
      value={value}
      isDisabled={busy}
      onChange={(langid) =>
        act(async () => {
          if (langid === value) return;
          await save(langid);
          showToast(words.saved(languageName(langid)));
        })
      }
    />
  );
}
