import type { Translation } from '#shared/text/message.ts';

import type { feedbackText } from '../en/feedback.ts';

export const feedback: Translation<typeof feedbackText> = {
  changes: {
    feedback: {
      name: 'Rückmeldung',
      awaited: 'Wartet auf die Rückmeldung',
      details: { on: 'erledigt', off: 'wieder geöffnet' },
    },
  },
  title: 'Rückmeldungen',
  lead: 'Was anderen an den Schritten von Anleitungen auffiel, die Sie bearbeiten dürfen.',
  reasons: {
    wrong: 'Etwas stimmt nicht',
    unclear: 'Schwer zu verstehen',
    picture: 'Bild fehlt oder ist unklar',
    missing: 'Ein Schritt fehlt',
    unsafe: 'Gefährlich',
  },
  other: 'Andere Rückmeldung',

  give: 'Rückmeldung',
  ask: 'Was ist mit diesem Schritt?',
  sent: 'Danke. Die Rückmeldung geht an den Autor der Anleitung.',
  given: 'Ihre Rückmeldung: {reason}',
  addNote: 'Notiz hinzufügen',
  note: 'Ihre Notiz für den Autor',
  saveNote: 'Notiz speichern',
  takeBack: 'Zurücknehmen',

  doneBy: 'Erledigt von {name}, {since}',
  doneByYou: 'Von Ihnen erledigt, {since}',

  yours: 'Für Sie',
  others: 'Zu Anleitungen anderer Autoren',
  closed: 'Erledigt',
  none: 'Keine Rückmeldungen',
  noneHint: 'Rückmeldungen zu Schritten Ihrer Anleitungen erscheinen hier.',
  place: '{guide} · {step}',
  from: '{name}, {since}',
  fromYou: 'Sie, {since}',
  you: 'Sie',
  says: '{name}: {words}',
  close: 'Erledigt',
  closeAbout: 'Erledigt: {place}',
  reopen: 'Wieder öffnen',
  reopenAbout: 'Wieder öffnen: {place}',
  closeTitle: 'Ist das erledigt?',
  answer: 'Antwort an {name} (freiwillig)',
  answerHint: 'Erscheint unter der Rückmeldung. Alle, die den Schritt sehen, können sie lesen.',
};
