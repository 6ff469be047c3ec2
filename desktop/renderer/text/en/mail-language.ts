import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const mailLanguageText = inLanguage('mailLanguage', {
  title: 'Language of e-mails',
  lead: 'The language in which this server writes to you. It does not change the language of this app.',
  leadOther: 'The language in which this server writes to this person.',
  label: 'E-mails are in',
  placeholder: 'Choose a language',
  saved: message<[language: string]>('E-mails will be in {language}', 'language'),
  failed: 'Couldn’t load the language',
});
