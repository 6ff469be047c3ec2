import type { Translation } from '#shared/text/message.ts';

import type { stationText } from '../en/stations.ts';

const number = new Intl.NumberFormat('de');
const inSeconds = (seconds: number) => `${number.format(seconds)} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}`;
const inMinutes = (minutes: number) => `${number.format(minutes)} ${minutes === 1 ? 'Minute' : 'Minuten'}`;

export const station: Translation<typeof stationText> = {
  lock: {
    title: 'Gesperrt',
    badge: 'Ausweis scannen',
    choose: 'Namen wählen',
    pin: 'PIN eingeben',
    orChoose: 'oder Namen wählen',
    orPin: 'oder PIN eingeben',
    withPin: 'PIN eingeben',
    nobody: 'Hier kann sich noch niemand anmelden',
    nobodyHint: 'Ein Administrator oder die Teamleitung fügt dieser Station Personen hinzu.',
    why: {
      started: () => null,
      idle: 'Gesperrt, weil {time} lang niemand den Bildschirm berührt hat. {name} kann an derselben Stelle weiterarbeiten.',
      'shut-out': () => null,
      locked: 'Gesperrt von {name}. Die Arbeit kann an derselben Stelle weitergehen.',
      'signed-out': '{name} hat sich abgemeldet.',
      'person-removed':
        '{name} gehört nicht mehr zu dieser Station und wurde abgemeldet. Alles Aufgezeichnete bleibt erhalten.',
      'badge-revoked':
        'Der Ausweis von {name} ist nicht mehr gültig, darum endete die Anmeldung. Alles Aufgezeichnete bleibt erhalten.',
      'pin-changed':
        'Die PIN von {name} wurde geändert, darum endete die Anmeldung. Alles Aufgezeichnete bleibt erhalten. Die neue PIN gilt bereits.',
    },
    seconds: (seconds) => (seconds < 120 ? inSeconds(seconds) : inMinutes(Math.round(seconds / 60))),
    again: 'Zuletzt hier',
    noWay: 'Noch keine PIN und kein Ausweis',
    badgeOnly: 'Nur mit Ausweis',
    people: 'Personen',
    letters: 'Anfangsbuchstabe',
    everybody: 'Alle',
    find: 'Namen suchen',
    noneFound: 'Hier gibt es niemanden mit diesem Namen.',
    checking: 'Wird geprüft …',
    wrongBadge:
      'Niemand an dieser Station hat diesen Ausweis. Versuchen Sie es erneut oder wählen Sie Ihren Namen.',
    wrongPin: 'Diese PIN ist falsch. Versuchen Sie es erneut.',
    ambiguous: 'Mehrere Personen haben diese PIN. Gehen Sie zurück und wählen Sie Ihren Namen.',
    waitPerson: 'Zu viele falsche PINs. Versuchen Sie es in {time} erneut.',
    waitAll: 'Zu viele Fehlversuche. Diese Station nimmt in {time} wieder Ausweise und PINs an.',
    scanWithCamera: 'Ausweis mit der Kamera scannen',
    noCode: 'In diesem Bild ist kein Code. Gehen Sie näher heran und sorgen Sie für mehr Licht.',
    running: 'Läuft gerade',
    clock: 'Uhrzeit',
    atStep: (step, title) =>
      [step === null ? '' : `Schritt ${step}`, title].filter((part) => part !== '').join(', '),
    goesOn: 'läuft weiter, während die Station gesperrt ist',
    worked: 'Arbeitszeit',
    safe: 'Alles hier Aufgezeichnete ist auf dieser Station sicher.',
    waits: '{number, plural, one {# Änderung wartet} other {# Änderungen warten}} auf das Netzwerk.',
    waitsForCode:
      '{number, plural, one {# Änderung wartet} other {# Änderungen warten}}, bis die Station wieder eingerichtet ist.',
    sending: '{number, plural, one {# Änderung wird} other {# Änderungen werden}} gerade gesendet.',
    shutOut: 'Diese Station ist vom Server ausgesperrt',
    shutOutHint:
      'Niemand kann sich anmelden, bis ein Administrator sie mit einem neuen Code wieder einrichtet. Alles hier Aufgezeichnete bleibt erhalten und wird dann gesendet.',
    trouble: 'Wenn etwas nicht stimmt',
    back: 'Zurück',
  },
  pad: {
    label: 'PIN',
    entered: '{digits, plural, one {# Ziffer} other {# Ziffern}} eingegeben',
    remove: 'Letzte Ziffer löschen',
    signIn: 'Anmelden',
    notYou: 'Jemand anderes',
  },
  health: {
    title: 'Wenn etwas nicht stimmt',
    lead: 'Lesen Sie dies Ihrem Support am Telefon vor oder lassen Sie den Code scannen.',
    station: 'Station',
    named: '{name}, Nummer {id}',
    server: 'Server',
    state: 'Was nicht stimmt',
    nothing: 'Alles in Ordnung. Der Server war eben noch erreichbar.',
    offline:
      'Der Server antwortet nicht (letzter Kontakt: {contact}). Prüfen Sie das Netzwerk dieser Station.',
    shutOut:
      'Ein Administrator hat diese Station ausgesperrt oder auf einem anderen Gerät eingerichtet. Sie muss mit einem neuen Code wieder eingerichtet werden.',
    disk: {
      ok: null,
      full: 'Die Festplatte ist voll. Neue Arbeit kann verloren gehen: Schaffen Sie zuerst Platz.',
      none: 'Dieses Gerät kann nichts speichern. Neue Arbeit geht verloren: Nutzen Sie ein anderes Gerät.',
    },
    clock: (minutes) =>
      `Die Uhr dieser Station geht ${inMinutes(Math.abs(minutes))} ${minutes > 0 ? 'nach' : 'vor'}.`,
    contact: 'Letzter Kontakt',
    safe: 'Was sicher ist',
    allSafe: 'Alles hier Aufgezeichnete ist auf diesem Gerät gespeichert.',
    allSent: 'Alles hier Aufgezeichnete ist auf dem Server.',
    waiting: 'Was wartet',
    nothingWaits: 'Nichts wartet',
    ofPerson: '{name}: {number, plural, one {# Änderung} other {# Änderungen}} seit {since}',
    needLead:
      '{number, plural, one {# braucht} other {# brauchen}} eine Teamleitung, weil die Person nicht mehr hierher gehört',
    refused:
      '{number, plural, one {1 wurde vom Server abgelehnt: Jemand muss sie ansehen} other {# wurden vom Server abgelehnt: Jemand muss sie ansehen}}',
    tries: 'Falsche Ausweise und PINs',
    version: 'Version',
    qr: 'Dasselbe als QR-Code',
    administrators: 'Für Administratoren',
    leave: 'Stationsmodus beenden',
    enrolAgain: 'Wieder einrichten',
    notHere: 'Dieses Gerät ist keine Station.',
  },
};
