import type { Translation } from '#shared/text/message.ts';

import type { pageTexts } from '../en/pages.ts';

const askForId =
  'Bitten Sie einen Administrator, die Kennung für Single Sign-on {id} in Ihrem Konto einzutragen';

export const pages: Translation<typeof pageTexts> = {
  signOn: {
    confirmed: 'Ihre Identität ist bestätigt',
    goBack: 'Kehren Sie zur App zurück und unterschreiben Sie. Diese Seite können Sie schließen.',
    signsIn: 'Die App meldet Sie an.',
    notConfirmed: 'Ihre Identität ist nicht bestätigt',
    beginAgain: '{reason}. Kehren Sie zur App zurück und beginnen Sie von vorn.',
    notSignedIn: 'Sie sind nicht angemeldet',
    why: '{reason}.',
    goOn: 'Weiter zur App',
  },

  signOnFlaws: {
    notTrusted: 'Die Antwort des Identitätsanbieters ist nicht vertrauenswürdig',
    usedBefore: 'Die Antwort des Identitätsanbieters wurde schon einmal verwendet',
    signOnOver: 'Dieser Vorgang ist beendet',
    signOnUnknown: 'Dieser Vorgang ist beendet oder wurde nicht hier begonnen',
    signInOver: 'Diese Anmeldung ist beendet',
    accountClosed: 'Das Konto ist deaktiviert',
    somebodyElse: 'Sie haben sich als eine andere Person ausgewiesen als die, die unterschreiben möchte',
    ownAccountClosed: 'Ihr Konto ist deaktiviert. Wenden Sie sich an einen Administrator',
    otherId: 'Das Konto mit Ihrer Adresse hat eine andere Kennung für Single Sign-on',
    idTaken: `Ihre Kennung für Single Sign-on wurde aus einem Konto entfernt. ${askForId}`,
    specialAccount: `Konten von Administratoren und Kiosken werden nicht anhand ihrer Adresse gefunden. ${askForId}`,
    unknownId: `Niemand hat hier diese Kennung für Single Sign-on. ${askForId}`,
    addressTaken: `Zu Ihrer Adresse gibt es schon ein Konto, oder es gab eines. ${askForId}`,
  },

  player: {
    title: 'Schulungsmodul',
    preview: 'Vorschau: Nichts wird gewertet',
    order: 'Reihenfolge',
    back: 'Zurück',
    continue: 'Weiter',
    again: 'Neu beginnen',
    parts: 'Teile',
    opening: 'Wird geöffnet …',
    saved: 'Gespeichert',
    savedAll: 'Gespeichert. Sie können diese Seite schließen.',
    notSaved: 'Nicht gespeichert: Der Server war nicht erreichbar oder hat abgelehnt',
    refused: 'Nicht gespeichert: Der Server hat abgelehnt',
    unreachable: 'Nicht gespeichert: Der Server war nicht erreichbar',
    notOpened: 'Das ließ sich nicht öffnen. Schließen Sie diese Seite und öffnen Sie das Modul erneut.',
    elsewhere: 'Module werden nur in Benchbook angezeigt. Öffnen Sie dieses dort.',
    ended: 'Das Modul ist beendet. Was Sie erreicht haben, ist gespeichert.',
    impossible: 'Das ist jetzt nicht möglich.',
    choose: 'Wählen Sie einen Teil.',
    states: {
      'not attempted': 'nicht begonnen',
      incomplete: 'nicht abgeschlossen',
      completed: 'abgeschlossen',
    },
  },

  frame: {
    warning: 'Schulungsmodul eines anderen Anbieters. Geben Sie hier niemals Ihr Passwort ein.',
  },

  closed: { title: 'Geschlossen', text: 'Sie können diese Seite schließen.' },

  missing: {
    title: 'Seite nicht gefunden',
    text: 'Vielleicht wurde sie gelöscht, oder nicht alle dürfen sie lesen.',
  },
};
