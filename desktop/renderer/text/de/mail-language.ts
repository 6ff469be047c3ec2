import type { Translation } from '#shared/text/message.ts';

import type { mailLanguageText } from '../en/mail-language.ts';

export const mailLanguage: Translation<typeof mailLanguageText> = {
  title: 'Sprache der E-Mails',
  lead: 'Die Sprache, in der dieser Server Ihnen schreibt. Die Sprache der App ändert sich dadurch nicht.',
  leadOther: 'Die Sprache, in der dieser Server dieser Person schreibt.',
  label: 'E-Mails sind auf',
  placeholder: 'Sprache wählen',
  saved: 'E-Mails kommen jetzt auf {language}',
  failed: 'Die Sprache konnte nicht geladen werden',
};
