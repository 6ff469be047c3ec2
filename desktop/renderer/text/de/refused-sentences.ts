/**
 * The German of sentences that the server and the engine refuse with, which are English. `{}`: a value; `{1}` is the first
 * one in the German sentence. A value that is a sentence or word of this list is translated, too.
 */
export const refusedSentences: Readonly<Record<string, string>> = {
  // Values of fields and bodies.
  'Validation failed': 'Eine Angabe ist so nicht zulässig',
  'Is missing': 'Fehlt',
  'Must be text': 'Muss ein Text sein',
  'Must be a number': 'Muss eine Zahl sein',
  'Must be a whole number': 'Muss eine ganze Zahl sein',
  'Must be true or false': 'Muss wahr oder falsch sein',
  'Must be a list': 'Muss eine Liste sein',
  'Must be an object': 'Muss ein Objekt sein',
  'Must be text or a number': 'Muss ein Text oder eine Zahl sein',
  'Must be an e-mail address': 'Muss eine E-Mail-Adresse sein',
  'Must be a web address': 'Muss eine Webadresse sein',
  'Must be an address such as https://example.org': 'Muss eine Adresse wie https://example.org sein',
  'Must be a web address or mailto:': 'Muss eine Webadresse oder eine E-Mail-Adresse mit mailto: sein',
  'Must begin with https:// or http://': 'Muss mit https:// oder http:// beginnen',
  'Must be a time zone such as Europe/Berlin': 'Muss eine Zeitzone wie Europe/Berlin sein',
  'Name each one once': 'Nennen Sie jeden Eintrag nur einmal',
  'Name each event once': 'Nennen Sie jedes Ereignis nur einmal',
  'Must not be empty': 'Darf nicht leer sein',
  'Must be {}': 'Muss {1} sein',
  'Must be ids, separated by commas': 'Muss aus Nummern bestehen, durch Kommas getrennt',
  'Name every step of the guide, in their new order':
    'Nennen Sie jeden Schritt der Anleitung, in der neuen Reihenfolge',
  'Invalid app id': 'Ungültige App-ID',
  'Must be one of {}': 'Muss eines hiervon sein: {1}',
  'Must be at least {}': 'Muss mindestens {1} sein',
  'Must be more than {}': 'Muss größer als {1} sein',
  'Must be at most {}': 'Darf höchstens {1} sein',
  'Must be less than {}': 'Muss kleiner als {1} sein',
  'Must have at least {} character': 'Muss mindestens {1} Zeichen haben',
  'Must have at least {} characters': 'Muss mindestens {1} Zeichen haben',
  'Must have at most {} character': 'Darf höchstens {1} Zeichen haben',
  'Must have at most {} characters': 'Darf höchstens {1} Zeichen haben',
  'Must have more than {} characters': 'Muss mehr als {1} Zeichen haben',
  'Must have less than {} characters': 'Muss weniger als {1} Zeichen haben',
  'Must have at least {} entry': 'Muss mindestens {1} Eintrag haben',
  'Must have at least {} entries': 'Muss mindestens {1} Einträge haben',
  'Must have at most {} entry': 'Darf höchstens {1} Eintrag haben',
  'Must have at most {} entries': 'Darf höchstens {1} Einträge haben',
  'Must be shorter than {} characters': 'Muss kürzer als {1} Zeichen sein',
  'Unknown field {}': 'Unbekanntes Feld {1}',
  '{} is longer than {} characters': '{1} ist länger als {2} Zeichen',
  '{} takes one line': '{1} nimmt nur eine Zeile auf',
  "A checkbox is '1' or '0'": 'Ein Kontrollkästchen ist „1“ oder „0“',
  '{} is a number such as 12.5': '{1} ist eine Zahl wie 12,5',
  '{} is a whole number': '{1} ist eine ganze Zahl',
  '{} has at most {} decimal': '{1} hat höchstens {2} Nachkommastelle',
  '{} has at most {} decimals': '{1} hat höchstens {2} Nachkommastellen',
  '{} is one of: {}': '{1} ist eines hiervon: {2}',
  '{} holds the id of an uploaded file': '{1} nimmt nur eine hochgeladene Datei auf',
  '{}: the file is not in your media manager': '{1}: Die Datei gehört nicht zu Ihren Medien',
  'The guide never had this field': 'Die Anleitung hatte dieses Feld nie',
  'Name the value of the field, too': 'Nennen Sie auch den Wert des Feldes',
  '{} is computed from other values': '{1} wird aus anderen Werten berechnet',
  '{} takes at most 1 photo': '{1} nimmt höchstens ein Foto auf',
  '{} takes at most {} photos': '{1} nimmt höchstens {2} Fotos auf',
  '{} does not take a file': '{1} nimmt keine Datei auf',
  '{}: nobody is the second person of work of their own':
    '{1}: Niemand ist bei der eigenen Arbeit die zweite Person',
  // Signing in, accounts and proofs.
  'Invalid login': 'Anmeldename oder Passwort ist falsch',
  'Authentication required': 'Melden Sie sich an',
  'Insufficient privileges': 'Dazu haben Sie keine Berechtigung',
  'Sign in first': 'Melden Sie sich zuerst an',
  'Sign in again': 'Melden Sie sich neu an',
  'Your session has ended. Sign in again, then try once more.':
    'Ihre Sitzung ist zu Ende. Melden Sie sich neu an, und versuchen Sie es dann noch einmal.',
  'This account is closed': 'Dieses Konto ist geschlossen',
  'This account is closed. Open it again first': 'Dieses Konto ist geschlossen. Öffnen Sie es zuerst wieder',
  'This account has no e-mail address. Print a code instead':
    'Dieses Konto hat keine E-Mail-Adresse. Drucken Sie stattdessen einen Code',
  'This server sends no e-mail. Set up a mail server, or print a code instead':
    'Dieser Server sendet keine E-Mails. Richten Sie einen Mailserver ein, oder drucken Sie einen Code',
  'This code is wrong, used or too old. Ask an administrator for a new one':
    'Dieser Code ist falsch, verbraucht oder zu alt. Bitten Sie einen Administrator um einen neuen',
  'This code is wrong or too old. Ask an administrator for a new one':
    'Dieser Code ist falsch oder zu alt. Bitten Sie einen Administrator um einen neuen',
  'This link was already used or has expired. Request a new one':
    'Dieser Link wurde schon benutzt oder ist abgelaufen. Fordern Sie einen neuen an',
  'This is not your password': 'Das ist nicht Ihr Passwort',
  'This is not the password of that person': 'Das ist nicht das Passwort dieser Person',
  'Enter your current password to change this': 'Geben Sie Ihr aktuelles Passwort ein, um das zu ändern',
  'Choose a password': 'Wählen Sie ein Passwort',
  'Choose a password that differs from your current one': 'Wählen Sie ein anderes Passwort als Ihr aktuelles',
  'The last administrator cannot step down': 'Der letzte Administrator kann diese Rolle nicht abgeben',
  'You cannot act as an administrator': 'Sie können nicht als Administrator handeln',
  'You cannot act as a station': 'Sie können nicht als Station handeln',
  'Whoever acts as somebody else cannot act as a third':
    'Wer als jemand anderes handelt, kann nicht als Dritter handeln',
  'Registration is closed on this site; ask an administrator':
    'Hier kann sich niemand selbst registrieren; bitten Sie einen Administrator',
  'Only an administrator registers people on this site': 'Nur Administratoren legen hier Konten an',
  "Only an administrator edits other people's profiles": 'Nur Administratoren ändern die Profile anderer',
  'Only an administrator changes {}': '{1} kann nur ein Administrator ändern',
  'Only an administrator lists accounts': 'Nur Administratoren sehen die Liste der Konten',
  'Only an administrator ends the sessions of all people': 'Nur Administratoren beenden die Sitzungen aller',
  'Only an administrator invites people': 'Nur Administratoren laden Personen ein',
  "Only an administrator can see other people's sessions": 'Nur Administratoren sehen die Sitzungen anderer',
  'This is a station: nobody signs in as it': 'Das ist eine Station: Niemand meldet sich als sie an',
  'This sign-on was already used; start a new one':
    'Diese Anmeldung wurde schon benutzt; beginnen Sie eine neue',
  'This sign-on was used already, or is too old. Sign on again':
    'Diese Anmeldung wurde schon benutzt oder ist zu alt. Melden Sie sich noch einmal an',
  'This sign-on is over; begin a new one': 'Diese Anmeldung ist vorbei; beginnen Sie eine neue',
  'No identity provider is set up on this site; sign with the password':
    'Hier ist kein Identitätsanbieter eingerichtet; unterschreiben Sie mit dem Passwort',
  'The identity provider has not confirmed yet that it is you':
    'Der Identitätsanbieter hat noch nicht bestätigt, dass Sie es sind',
  'Your account has no single sign-on id; an administrator can set it':
    'Ihr Konto hat keine SSO-Kennung; ein Administrator kann sie eintragen',
  'Nobody signs in with an identity provider on this site; sign in with the password':
    'Hier meldet sich niemand über einen Identitätsanbieter an; melden Sie sich mit dem Passwort an',
  'The server names no web address of an identity provider':
    'Der Server nennt keine Adresse eines Identitätsanbieters',
  'Sign in again to unlock the work on this device':
    'Melden Sie sich neu an, um die Arbeit auf diesem Gerät zu öffnen',
  'Too many tries. Wait {} seconds and try again':
    'Zu viele Versuche. Warten Sie {1} Sekunden, und versuchen Sie es dann noch einmal',
  'Too many people sign in from here at once. Wait and try again':
    'Von hier melden sich zu viele Personen gleichzeitig an. Warten Sie, und versuchen Sie es dann noch einmal',
  'Too many requests. Wait {} seconds and try again':
    'Zu viele Anfragen. Warten Sie {1} Sekunden, und versuchen Sie es dann noch einmal',
  'Too many requests at the same time. Wait and try again':
    'Zu viele Anfragen auf einmal. Warten Sie, und versuchen Sie es dann noch einmal',
  'This e-mail address has an account already, or had one':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto, oder es gab eines',
  // The server and the connection.
  'The record has changed since this revision': 'Das wurde inzwischen geändert',
  'The server answered {}': 'Der Server antwortete mit {1}',
  'The server cannot be reached now': 'Der Server ist im Moment nicht erreichbar',
  'This needs the server, which cannot be reached now':
    'Dafür wird der Server gebraucht, der im Moment nicht erreichbar ist',
  'The server can’t be reached at the moment. Your work is kept. Check the network, then try again.':
    'Der Server ist im Moment nicht erreichbar. Ihre Arbeit bleibt gespeichert. Prüfen Sie das Netz, und versuchen Sie es dann noch einmal.',
  'The server can’t do this at the moment. Your work is kept. Try again later.':
    'Der Server kann das im Moment nicht. Ihre Arbeit bleibt gespeichert. Versuchen Sie es später noch einmal.',
  'The server was restored from a backup, and this device loads everything anew. Try again in a moment.':
    'Der Server wurde aus einer Sicherung wiederhergestellt, und dieses Gerät lädt alles neu. Versuchen Sie es gleich noch einmal.',
  'This device has no space left for your work. Free some space; what is on the screen is saved then.':
    'Auf diesem Gerät ist kein Platz mehr für Ihre Arbeit. Schaffen Sie Platz; dann wird gespeichert, was auf dem Bildschirm steht.',
  'The answer of the server can’t be read. Your work is kept. Update the app, or tell your support team if it happens again.':
    'Die Antwort des Servers ist nicht lesbar. Ihre Arbeit bleibt gespeichert. Aktualisieren Sie die App, oder melden Sie es Ihrem Support, wenn es wieder geschieht.',
  'This device can’t store your work at the moment. Close other windows of the app, then open it again.':
    'Dieses Gerät kann Ihre Arbeit im Moment nicht speichern. Schließen Sie andere Fenster der App, und öffnen Sie sie dann neu.',
  'This device can’t store what the server sends at the moment. Your work is kept. Free up disk space and close other windows of the app, then open it again.':
    'Dieses Gerät kann im Moment nicht speichern, was der Server sendet. Ihre Arbeit bleibt gespeichert. Schaffen Sie Platz, schließen Sie andere Fenster der App, und öffnen Sie sie dann neu.',
  'Something went wrong on this device. Your saved work is kept. Open the app again, or tell your support team if it happens again.':
    'Auf diesem Gerät ist ein Fehler aufgetreten. Was gespeichert ist, bleibt erhalten. Öffnen Sie die App neu, oder melden Sie es Ihrem Support, wenn es wieder geschieht.',
  'A file of your work is no longer on this device. Add it again where it is missing.':
    'Eine Datei Ihrer Arbeit ist nicht mehr auf diesem Gerät. Fügen Sie sie dort neu hinzu, wo sie fehlt.',
  'A file of your work is damaged on this device. Add it again where it is missing.':
    'Eine Datei Ihrer Arbeit ist auf diesem Gerät beschädigt. Fügen Sie sie dort neu hinzu, wo sie fehlt.',
  'Something between this device and the server answers in its place. Your work is kept and will be sent once the server can be reached again.':
    'Etwas zwischen diesem Gerät und dem Server antwortet an seiner Stelle. Ihre Arbeit bleibt gespeichert und wird gesendet, sobald der Server wieder erreichbar ist.',
  'Update the app to go on syncing. Your work is kept.':
    'Aktualisieren Sie die App, um weiter abzugleichen. Ihre Arbeit bleibt gespeichert.',
  'The server is older than this app. Ask your administrator to update it. Your work is kept.':
    'Der Server ist älter als diese App. Bitten Sie einen Administrator, ihn zu aktualisieren. Ihre Arbeit bleibt gespeichert.',
  'The server is too old to check this device. Ask your administrator to update it. Your work is kept.':
    'Der Server ist zu alt, um dieses Gerät zu prüfen. Bitten Sie einen Administrator, ihn zu aktualisieren. Ihre Arbeit bleibt gespeichert.',
  'The server is newer than this app. Update the app to see this.':
    'Der Server ist neuer als diese App. Aktualisieren Sie die App, um das zu sehen.',
  'Another server answered. Try again': 'Ein anderer Server antwortete. Versuchen Sie es noch einmal',
  '{} does not say clearly which server it is. Try again':
    '{1} sagt nicht eindeutig, welcher Server es ist. Versuchen Sie es noch einmal',
  '{} is not an address': '{1} ist keine Adresse',
  'Not an address': 'Keine Adresse',
  'This is another server than the one your work belongs to. Nothing was done.':
    'Das ist ein anderer Server als der, zu dem Ihre Arbeit gehört. Es wurde nichts getan.',
  'The server is busy; nothing was done. Try again in some seconds':
    'Der Server ist ausgelastet; es wurde nichts getan. Versuchen Sie es in einigen Sekunden noch einmal',
  "The server's disk is full; nothing was stored":
    'Der Speicher des Servers ist voll; es wurde nichts gespeichert',
  "The server's disk is full; free some space": 'Der Speicher des Servers ist voll; schaffen Sie Platz',
  "The server's database is damaged; its administrators are notified":
    'Die Datenbank des Servers ist beschädigt; die Administratoren sind benachrichtigt',
  'The database is busy; nothing was stored': 'Die Datenbank ist ausgelastet; es wurde nichts gespeichert',
  'A text contains the character NUL (U+0000), which cannot be stored':
    'Ein Text enthält das Zeichen NUL (U+0000), das nicht gespeichert werden kann',
  'You have reached the daily upload quota per person ({} GB). Wait and try again':
    'Sie haben heute so viel hochgeladen, wie eine Person darf ({1} GB). Versuchen Sie es morgen noch einmal',
  'Your unfinished uploads take all the space that one person has. They are removed when they are complete, or after 7 days':
    'Ihre unfertigen Uploads brauchen den ganzen Platz, den eine Person hat. Sie verschwinden, wenn sie fertig sind, oder nach 7 Tagen',
  'A file may have {} MB on this site': 'Eine Datei darf hier {1} MB haben',
  // Files.
  'Send a JPEG, GIF, PNG, BMP or TIFF file': 'Wählen Sie eine Datei im Format JPEG, GIF, PNG, BMP oder TIFF',
  'Send an MP4, MOV, WebM or Ogg video': 'Wählen Sie ein Video im Format MP4, MOV, WebM oder Ogg',
  'Send a PDF, an office document, a ZIP package or a text file':
    'Wählen Sie ein PDF, ein Office-Dokument, ein ZIP-Paket oder eine Textdatei',
  'The picture cannot be read': 'Das Bild ist nicht lesbar',
  'The picture cannot be read: {}': 'Das Bild ist nicht lesbar: {1}',
  'The picture has more than 50 megapixels': 'Das Bild hat mehr als 50 Megapixel',
  'The animation has more than 50 megapixels': 'Die Animation hat mehr als 50 Megapixel',
  'This picture is a drawing; it cannot be turned':
    'Dieses Bild ist eine Zeichnung; es kann nicht gedreht werden',
  'This file is not a picture that can be shown': 'Diese Datei ist kein Bild, das gezeigt werden kann',
  'You may not upload here': 'Sie dürfen hier nichts hochladen',
  'A kiosk adds files and changes none': 'Ein Kiosk fügt Dateien hinzu und ändert keine',
  'Image {} is not in your media manager': 'Bild {1} gehört nicht zu Ihren Medien',
  'Document {} is not in your media manager': 'Dokument {1} gehört nicht zu Ihren Medien',
  'Video {} is not in your media manager': 'Video {1} gehört nicht zu Ihren Medien',
  'The file is no longer on this device.': 'Die Datei ist nicht mehr auf diesem Gerät.',
  'The file is no longer on this device. Discard this and add the file again.':
    'Die Datei ist nicht mehr auf diesem Gerät. Verwerfen Sie das, und fügen Sie die Datei neu hinzu.',
  'A picture or document in this is not on the server. Open it, add the file again and save: the rest of your change is kept.':
    'Ein Bild oder Dokument darin ist nicht auf dem Server. Öffnen Sie es, fügen Sie die Datei neu hinzu, und speichern Sie: Der Rest Ihrer Änderung bleibt erhalten.',
  'A photo or document in this work order is not on the server. Record it again: the other values are kept.':
    'Ein Foto oder Dokument in diesem Auftrag ist nicht auf dem Server. Erfassen Sie es neu: Die anderen Werte bleiben erhalten.',
  'A picture of this deviation is not on the server. Report it again with the picture.':
    'Ein Bild dieser Abweichung ist nicht auf dem Server. Melden Sie sie mit dem Bild noch einmal.',
  // Guides.
  'A guide needs a title': 'Eine Anleitung braucht einen Titel',
  'A guide needs a category': 'Eine Anleitung braucht eine Kategorie',
  'A step has at most {} pictures': 'Ein Schritt hat höchstens {1} Bilder',
  'The introduction has more than {} lines': 'Die Einleitung hat mehr als {1} Zeilen',
  'The guide has more than {} steps': 'Die Anleitung hat mehr als {1} Schritte',
  'The step has more than {} {}': 'Der Schritt hat mehr als {1} {2}',
  'Name this {}, or remove it': 'Benennen oder entfernen Sie das: {1}',
  tool: 'Werkzeug',
  part: 'Teil',
  lines: 'Zeilen',
  pictures: 'Bilder',
  'The line is empty': 'Die Zeile ist leer',
  'A line has at most {} levels of indent': 'Eine Zeile hat höchstens {1} Einzugsebenen',
  'The first line of a step cannot be indented': 'Die erste Zeile eines Schrittes kann nicht eingerückt sein',
  'A line can be indented by one step only':
    'Eine Zeile kann nur um eine Ebene weiter eingerückt sein als die darüber',
  '{} has more than {} characters': '{1} hat mehr als {2} Zeichen',
  'The line': 'Die Zeile',
  'The title': 'Der Titel',
  'The step title': 'Der Titel des Schrittes',
  'The part or topic': 'Das Teil oder Thema',
  'The name': 'Der Name',
  'The kind or size': 'Art oder Größe',
  'The note': 'Die Notiz',
  'The web address': 'Die Webadresse',
  'The summary': 'Die Zusammenfassung',
  'The introduction': 'Die Einleitung',
  'You may read this guide but not edit it': 'Sie dürfen diese Anleitung lesen, aber nicht bearbeiten',
  'You may not create guides': 'Sie dürfen keine Anleitungen anlegen',
  'Only the author or a moderator decides who sees this guide':
    'Wer diese Anleitung sieht, entscheidet nur ihr Autor oder ein Moderator',
  'Only the author or a moderator makes this guide public or private':
    'Nur der Autor oder ein Moderator macht diese Anleitung öffentlich oder privat',
  'Only the author or a moderator deletes this guide':
    'Nur der Autor oder ein Moderator löscht diese Anleitung',
  'Only the author or a moderator tags this guide':
    'Nur der Autor oder ein Moderator vergibt hier Schlagwörter',
  'Only the author or an administrator hands a guide to another author':
    'Nur der Autor oder ein Administrator übergibt eine Anleitung an jemand anderen',
  'Only authors of the site release guides': 'Nur Autoren geben Anleitungen frei',
  'Releases are not enabled on this site': 'Freigaben mit Nummern sind hier nicht eingeschaltet',
  'This version of the guide is released already': 'Diese Fassung der Anleitung ist schon freigegeben',
  'This version of the guide waits for its approval to be released':
    'Diese Fassung der Anleitung wartet noch auf ihre Genehmigung',
  'Guide {} already depends on this guide': 'Anleitung {1} setzt diese Anleitung schon voraus',
  'There is no guide {}': 'Es gibt keine Anleitung {1}',
  'Unknown guide {}': 'Es gibt keine Anleitung {1}',
  'There is no category {}': 'Es gibt keine Kategorie {1}',
  'There is no category "{}"': 'Es gibt keine Kategorie „{1}“',
  'There is no category "{}"; names are case sensitive':
    'Es gibt keine Kategorie „{1}“; Groß- und Kleinbuchstaben zählen',
  'The shortest time is longer than the longest': 'Die kürzeste Dauer ist länger als die längste',
  'You may not set or unset the flag {}': 'Sie dürfen das Kennzeichen {1} nicht setzen oder entfernen',
  'The guide is no longer there': 'Die Anleitung gibt es nicht mehr',
  'The guide is not on this device': 'Die Anleitung ist nicht auf diesem Gerät',
  'Save the guide first: the server does not know it yet.':
    'Speichern Sie die Anleitung zuerst: Der Server kennt sie noch nicht.',
  'Save the guide first: this step is only in your draft':
    'Speichern Sie die Anleitung zuerst: Diesen Schritt gibt es nur in Ihrem Entwurf',
  'Decide the open conflicts first': 'Lösen Sie zuerst die offenen Konflikte',
  'Decide the conflict first': 'Lösen Sie zuerst den Konflikt',
  'Send or discard your own changes to this guide first.':
    'Senden oder verwerfen Sie zuerst Ihre eigenen Änderungen an dieser Anleitung.',
  'Someone saved this guide meanwhile. Look at the newest revision, then restore.':
    'Jemand hat diese Anleitung inzwischen gespeichert. Sehen Sie sich die neueste Revision an, und stellen Sie dann wieder her.',
  'The guide has this text already, so there is nothing to restore.':
    'Die Anleitung hat diesen Text schon; es gibt nichts wiederherzustellen.',
  'Someone else changed this meanwhile': 'Jemand anderes hat das inzwischen geändert',
  'Someone else changed this meanwhile, and the two versions could not be shown side by side. Your text is kept here: check the guide, then send it again or discard it.':
    'Jemand anderes hat das inzwischen geändert, und die beiden Fassungen konnten nicht nebeneinander gezeigt werden. Ihr Text bleibt hier: Prüfen Sie die Anleitung, und senden Sie ihn dann noch einmal, oder verwerfen Sie ihn.',
  'Guides are being edited in another window of this app. Go on there, or close that window and try again.':
    'Anleitungen werden in einem anderen Fenster dieser App bearbeitet. Machen Sie dort weiter, oder schließen Sie es, und versuchen Sie es dann noch einmal.',
  'There is no draft of this guide any more. If you can no longer see the guide, your words are kept under Sync.':
    'Zu dieser Anleitung gibt es keinen Entwurf mehr. Wenn Sie sie nicht mehr sehen dürfen, finden Sie Ihren Text unter „Abgleich“.',
  'This was edited after these decisions, so they can no longer be changed here. Edit the text instead.':
    'Das wurde nach diesen Entscheidungen bearbeitet; sie lassen sich hier nicht mehr ändern. Bearbeiten Sie stattdessen den Text.',
  'Someone changed this {} meanwhile. Check your choices again.':
    'Jemand hat das inzwischen geändert. Prüfen Sie Ihre Entscheidungen noch einmal.',
  'It is too late to undo this: the server has it, or has a newer version.':
    'Das lässt sich nicht mehr rückgängig machen: Der Server hat es schon, oder er hat eine neuere Fassung.',
  'This is decided already': 'Das ist schon entschieden',
  'This text is no longer kept here': 'Dieser Text ist nicht mehr hier',
  'This draft is no longer kept': 'Diesen Entwurf gibt es nicht mehr',
  'This change is no longer waiting': 'Diese Änderung wartet nicht mehr',
  'It needs something that was discarded': 'Dazu gehört etwas, das verworfen wurde',
  'Something that this belongs to is not on the server. Send it again once that is there, or discard it.':
    'Etwas, zu dem das gehört, ist nicht auf dem Server. Senden Sie es noch einmal, sobald es da ist, oder verwerfen Sie es.',
  'The server was restored from a backup, and this was changed there since. Your text is kept here: compare the two, then send yours again or discard it.':
    'Der Server wurde aus einer Sicherung wiederhergestellt, und das wurde dort seitdem geändert. Ihr Text bleibt hier: Vergleichen Sie beide, und senden Sie dann Ihren noch einmal, oder verwerfen Sie ihn.',
  'A newer version of this app made this change. It is kept. Update the app to send it, or export it.':
    'Diese Änderung stammt von einer neueren Fassung der App. Sie bleibt gespeichert. Aktualisieren Sie die App, um sie zu senden, oder exportieren Sie sie.',
  'This app cannot read this change any more. It is kept. Export it and ask for support.':
    'Diese App kann die Änderung nicht mehr lesen. Sie bleibt gespeichert. Exportieren Sie sie, und wenden Sie sich an den Support.',
  // Pages, tags and comments.
  'Give the page a title': 'Geben Sie der Seite einen Titel',
  'There is a page “{}” already': 'Eine Seite „{1}“ gibt es schon',
  'There is a wiki {} already': 'Eine Seite {1} gibt es schon',
  'The page is no longer there': 'Die Seite gibt es nicht mehr',
  'Decide first what this page is to say': 'Entscheiden Sie zuerst, was auf dieser Seite stehen soll',
  'Someone else changed this page meanwhile, and the two versions could not be shown side by side. Your text is kept here: check the page, then write it anew or discard it.':
    'Jemand anderes hat diese Seite inzwischen geändert, und die beiden Fassungen konnten nicht nebeneinander gezeigt werden. Ihr Text bleibt hier: Prüfen Sie die Seite, und schreiben Sie ihn dann neu, oder verwerfen Sie ihn.',
  'The server does not tell its versions': 'Der Server nennt keine früheren Fassungen',
  'Earlier versions are on the server, which cannot be reached now':
    'Frühere Fassungen sind auf dem Server, der im Moment nicht erreichbar ist',
  'This page can be translated as soon as the server has it':
    'Diese Seite kann übersetzt werden, sobald der Server sie hat',
  'This page can be tagged as soon as the server has it':
    'Diese Seite kann Schlagwörter bekommen, sobald der Server sie hat',
  'A tag is a word or two, of at most 32 characters':
    'Ein Schlagwort sind ein, zwei Wörter mit höchstens 32 Zeichen',
  'You may not write this page': 'Sie dürfen diese Seite nicht schreiben',
  'You may read this page but not edit it': 'Sie dürfen diese Seite lesen, aber nicht bearbeiten',
  'Only a moderator gives this page another name': 'Nur ein Moderator benennt diese Seite um',
  'Only a moderator deletes this page': 'Nur ein Moderator löscht diese Seite',
  'Only a moderator patrols edits': 'Nur ein Moderator prüft Änderungen',
  'Only authors tag this page': 'Nur Autoren vergeben hier Schlagwörter',
  'Only authors can change the display title': 'Nur Autoren ändern den angezeigten Titel',
  'Only an administrator gives a repairability score': 'Nur Administratoren bewerten die Reparierbarkeit',
  'A category cannot be its own parent': 'Eine Kategorie kann nicht in sich selbst liegen',
  '{} stands below {} itself': '{1} liegt selbst unter {2}',
  'Categories nest {} deep at most': 'Kategorien haben höchstens {1} Ebenen',
  'There are categories below this one; move or delete them first':
    'Unter dieser Kategorie gibt es weitere; verschieben oder löschen Sie diese zuerst',
  'This comment is gone': 'Diesen Kommentar gibt es nicht mehr',
  'A comment can be changed within five minutes of posting it':
    'Ein Kommentar lässt sich fünf Minuten lang ändern',
  'A comment can be edited within five minutes of posting it':
    'Ein Kommentar lässt sich fünf Minuten lang ändern',
  'Only its author edits a comment': 'Einen Kommentar ändert nur, wer ihn geschrieben hat',
  'Only its author deletes a comment': 'Einen Kommentar löscht nur, wer ihn geschrieben hat',
  'You may read this but not comment on it': 'Sie dürfen das lesen, aber nicht kommentieren',
  'Write something first': 'Schreiben Sie zuerst etwas',
  'Only a correction that came too late can be posted as a reply':
    'Nur eine Korrektur, die zu spät kam, kann als Antwort gesendet werden',
  'Only comments on guides and pages have replies here':
    'Antworten haben hier nur Kommentare zu Anleitungen und Seiten',
  'Only its author or a moderator edits this': 'Das ändert nur, wer es geschrieben hat, oder ein Moderator',
  'Only its author or a moderator deletes this': 'Das löscht nur, wer es geschrieben hat, oder ein Moderator',
  'You may not write this here': 'Sie dürfen das hier nicht schreiben',
  // Work orders, deviations and plans.
  'Someone else has taken over this work order': 'Jemand anderes hat diesen Auftrag übernommen',
  'Someone else is working on this entry': 'Jemand anderes arbeitet an diesem Auftrag',
  'This work order cannot be {} now': 'Dieser Auftrag kann jetzt nicht {1} werden',
  'worked on': 'bearbeitet',
  'filled in': 'ausgefüllt',
  paused: 'pausiert',
  resumed: 'fortgesetzt',
  suspended: 'abgegeben',
  'taken over': 'übernommen',
  finished: 'abgeschlossen',
  cancelled: 'abgebrochen',
  'This work order is not held up': 'Dieser Auftrag ist nicht angehalten',
  'There is nothing to save': 'Es gibt nichts zu speichern',
  'Only the person who recorded this can keep or discard it':
    'Nur wer das erfasst hat, kann es behalten oder verwerfen',
  'Only the person who recorded this can change or discard it':
    'Nur wer das erfasst hat, kann es ändern oder verwerfen',
  'Only its holder deletes an entry': 'Einen Auftrag löscht nur, wer ihn hat',
  'You may not see the guide of this entry': 'Sie dürfen die Anleitung dieses Auftrags nicht sehen',
  'The record of this order is signed, so it is kept':
    'Das Protokoll dieses Auftrags ist unterschrieben und bleibt deshalb erhalten',
  'The server does not have all values of this work order yet. Try again in a moment':
    'Der Server hat noch nicht alle Werte dieses Auftrags. Versuchen Sie es gleich noch einmal',
  'This server cannot filter work orders': 'Dieser Server kann Aufträge nicht filtern',
  'Your changes of this guide have no number yet. Sync first':
    'Ihre Änderungen an dieser Anleitung haben noch keine Nummer. Gleichen Sie zuerst ab',
  'The guide never had this revision': 'Diese Revision hatte die Anleitung nie',
  'Enter a work order number': 'Geben Sie eine Auftragsnummer ein',
  'Somebody has started or withdrawn this planned order':
    'Jemand hat diesen geplanten Auftrag begonnen oder zurückgezogen',
  'An order that repeats needs a due time': 'Ein Auftrag, der sich wiederholt, braucht einen Termin',
  'An order that repeats is first due at most {} days ago':
    'Ein Auftrag, der sich wiederholt, ist zum ersten Mal vor höchstens {1} Tagen fällig',
  'An order repeats at most once a day': 'Ein Auftrag wiederholt sich höchstens einmal am Tag',
  'Enter at most {} numbers with at most {} characters each':
    'Geben Sie höchstens {1} Nummern mit je höchstens {2} Zeichen ein',
  'Only a lead plans orders for the members of a team':
    'Nur die Teamleitung plant Aufträge für die Mitglieder',
  'The text of {} is not on this device yet. Connect to the server, then start.':
    'Der Text von {1} ist noch nicht auf diesem Gerät. Verbinden Sie sich mit dem Server, und beginnen Sie dann.',
  'This planned order changed before your change arrived: somebody started it, or another planner changed it. Open it and change it again, or discard this.':
    'Dieser geplante Auftrag wurde geändert, bevor Ihre Änderung ankam: Jemand hat ihn begonnen oder anders geplant. Öffnen Sie ihn, und ändern Sie ihn noch einmal, oder verwerfen Sie das.',
  'A follow-up order of this deviation was planned before yours arrived. Open the deviation to see it. Plan yours as an order of its own, or discard it.':
    'Zu dieser Abweichung wurde ein Folgeauftrag geplant, bevor Ihrer ankam. Öffnen Sie die Abweichung, um ihn zu sehen. Planen Sie Ihren als eigenen Auftrag, oder verwerfen Sie ihn.',
  'This deviation has a follow-up order: {}': 'Diese Abweichung hat einen Folgeauftrag: {1}',
  'This value is not out of limits any more': 'Dieser Wert ist nicht mehr außerhalb der Grenzen',
  'Say what is wrong': 'Schreiben Sie, was nicht stimmt',
  'Say what deviates': 'Schreiben Sie, was abweicht',
  'Say why': 'Schreiben Sie, warum',
  'Say why you reject it': 'Schreiben Sie, warum Sie ablehnen',
  'Add at most {} photos': 'Fügen Sie höchstens {1} Fotos hinzu',
  'Write at most {} characters': 'Schreiben Sie höchstens {1} Zeichen',
  'Only a lead of the team decides, and not about work of their own':
    'Nur die Teamleitung entscheidet, und nicht über eigene Arbeit',
  'Only people who worked on this order report a deviation in it':
    'Eine Abweichung meldet nur, wer an diesem Auftrag gearbeitet hat',
  'The deviation changed before this decision arrived: it was measured again, or somebody else decided. Open it and decide again.':
    'Die Abweichung änderte sich, bevor diese Entscheidung ankam: Es wurde neu gemessen, oder jemand anderes entschied. Öffnen Sie sie, und entscheiden Sie noch einmal.',
  'The end must be after the beginning': 'Das Ende muss nach dem Beginn liegen',
  'Only a lead makes summaries of a team': 'Nur die Teamleitung erstellt Übergaben eines Teams',
  'A report covers at most two years ({} days)': 'Ein Bericht umfasst höchstens zwei Jahre ({1} Tage)',
  'Only a follow-up order that arrived second becomes an order of its own':
    'Nur ein Folgeauftrag, der als zweiter ankam, wird ein eigener Auftrag',
  // Forms of steps.
  'a tolerance needs a target': 'Eine Toleranz braucht einen Sollwert',
  'the target lies outside of the limits': 'Der Sollwert liegt außerhalb der Grenzen',
  '"{}" is the name of a function': '„{1}“ ist der Name einer Funktion',
  'there is no format "{}"': 'Das Format „{1}“ gibt es nicht',
  'a second person is anyone, members or leads, not "{}"':
    'Eine zweite Person ist jeder, Mitglieder oder Teamleitungen, nicht „{1}“',
  'name the teams whose members may confirm': 'Nennen Sie die Teams, deren Mitglieder bestätigen dürfen',
  'only a second person of the kind members has teams':
    'Teams hat nur eine zweite Person der Art „Mitglieder“',
  'the name of a second person has neither format nor pattern':
    'Der Name einer zweiten Person hat weder Format noch Muster',
  'the field_guid names no field of this step': 'Dieses Feld gehört nicht zu diesem Schritt',
  'the field is named twice': 'Dieses Feld kommt zweimal vor',
  'Every field needs a field_type': 'Jedes Feld braucht eine Art',
  'This field cannot be saved so': 'Dieses Feld kann so nicht gespeichert werden',
  'Name the field, with at most 500 characters': 'Benennen Sie das Feld mit höchstens 500 Zeichen',
  'An example has at most 500 characters': 'Ein Beispiel hat höchstens 500 Zeichen',
  'The target is too large': 'Der Sollwert ist zu groß',
  'An expression has 1 to 500 characters': 'Ein Ausdruck hat 1 bis 500 Zeichen',
  'Name at most 50 teams': 'Nennen Sie höchstens 50 Teams',
  'This step has no form yet': 'Dieser Schritt hat noch kein Formular',
  'Someone else changed the same fields of this form meanwhile. Both versions are kept: open the step and choose.':
    'Jemand anderes hat inzwischen dieselben Felder dieses Formulars geändert. Beide Fassungen bleiben: Öffnen Sie den Schritt, und wählen Sie.',
  'The step of this form is no longer there. Your form is kept here.':
    'Den Schritt dieses Formulars gibt es nicht mehr. Ihr Formular bleibt hier.',
  // Approvals and signatures.
  'An approval of this version is under way; it ends before another begins':
    'Diese Fassung wird schon geprüft; das muss zuerst abgeschlossen sein',
  'No stage of this request names you': 'Keine Stufe dieses Antrags nennt Sie',
  'A stage before yours is not done yet': 'Eine Stufe vor Ihrer ist noch nicht abgeschlossen',
  'You cannot sign while you act as another person':
    'Sie können nicht unterschreiben, solange Sie als jemand anderes handeln',
  'This account takes no part in approvals': 'Dieses Konto nimmt an Freigaben nicht teil',
  'Stage {} is named twice': 'Die Stufe {1} kommt zweimal vor',
  'Name people or teams who sign in this stage':
    'Nennen Sie Personen oder Teams, die in dieser Stufe unterschreiben',
  'There is no team {}': 'Es gibt kein Team {1}',
  'There is no user {}': 'Es gibt keine Person {1}',
  'There is no such person': 'Diese Person gibt es nicht',
  'There is no such team': 'Dieses Team gibt es nicht',
  'Name either a person or a team': 'Nennen Sie eine Person oder ein Team',
  'Name a team or a person': 'Nennen Sie ein Team oder eine Person',
  // Teams and stations.
  'Only authors found teams': 'Nur Autoren gründen Teams',
  'Only an administrator founds a team for others': 'Nur Administratoren gründen Teams für andere',
  'Only its owner or an administrator changes a team':
    'Ein Team ändert nur seine Leitung oder ein Administrator',
  'Only members of a team see its courses': 'Die Kurse eines Teams sehen nur seine Mitglieder',
  'Only its owner or an administrator adds others to a team':
    'Andere nimmt nur die Leitung oder ein Administrator in ein Team auf',
  'Only its owner or an administrator removes others from a team':
    'Andere entfernt nur die Leitung oder ein Administrator aus einem Team',
  'Only an administrator puts a station into a team':
    'Nur Administratoren nehmen eine Station in ein Team auf',
  'The join code is not the one of this team': 'Das ist nicht der Beitrittscode dieses Teams',
  'Type the join code of the team': 'Geben Sie den Beitrittscode des Teams ein',
  'The owner must be a member of the team': 'Die Leitung muss Mitglied des Teams sein',
  'A station cannot own a team': 'Eine Station kann kein Team leiten',
  'This device is not a station': 'Dieses Gerät ist keine Station',
  'This device is a station. An administrator must end that first':
    'Dieses Gerät ist eine Station. Das muss zuerst ein Administrator beenden',
  'An administrator must confirm this with their code or password':
    'Das muss ein Administrator mit Code oder Passwort bestätigen',
  'Only an administrator ends a station': 'Nur Administratoren beenden eine Station',
  'Sign in at this station first': 'Melden Sie sich zuerst an dieser Station an',
  'The code was not accepted. {}': 'Der Code wurde nicht angenommen. {1}',
  'This station was shut out. An administrator must enrol it again':
    'Diese Station wurde gesperrt. Ein Administrator muss sie neu einrichten',
  'This station was shut out. What is recorded on it stays here. An administrator can enrol it again with a new code':
    'Diese Station wurde gesperrt. Was auf ihr erfasst ist, bleibt hier. Ein Administrator kann sie mit einem neuen Code wieder einrichten',
  'Another device is this station now. What is recorded here stays here until an administrator enrols this device again':
    'Ein anderes Gerät ist jetzt diese Station. Was hier erfasst ist, bleibt hier, bis ein Administrator dieses Gerät neu einrichtet',
  'This station has other ways to sign in': 'An dieser Station meldet man sich anders an',
  'This person does not belong to this station': 'Diese Person gehört nicht zu dieser Station',
  '{} no longer belongs to this station. A lead decides whether to accept what was recorded; until then it stays on this device':
    '{1} gehört nicht mehr zu dieser Station. Eine Teamleitung entscheidet über das Erfasste; bis dahin bleibt es hier',
  'This is not possible at a station. Sign in on a device of your own':
    'Das ist an einer Station nicht möglich. Melden Sie sich an einem eigenen Gerät an',
  'Read the badge': 'Lesen Sie den Ausweis ein',
  'This badge is named twice': 'Dieser Ausweis kommt zweimal vor',
  'This badge is issued already': 'Dieser Ausweis ist schon ausgegeben',
  'Only administrators and leads issue badges': 'Nur Administratoren und Teamleitungen geben Ausweise aus',
  'Use 4 to 12 digits': 'Nehmen Sie 4 bis 12 Ziffern',
  'Use a PIN that does not repeat one digit': 'Nehmen Sie eine PIN, die nicht nur aus einer Ziffer besteht',
  'Use a PIN whose digits do not just count up or down':
    'Nehmen Sie eine PIN, deren Ziffern nicht einfach auf- oder abwärts zählen',
  'Only an administrator makes and changes stations': 'Nur Administratoren legen Stationen an und ändern sie',
  'Only a lead of a team of this station does this': 'Das tut nur die Leitung eines Teams dieser Station',
  'A lead adds people of their own teams': 'Eine Teamleitung nimmt nur Personen ihrer eigenen Teams auf',
  'Only a lead of a team of this person sees this': 'Das sieht nur die Leitung eines Teams dieser Person',
  // Training.
  'This account takes no quizzes': 'Dieses Konto nimmt an keinem Quiz teil',
  'Only authors manage quizzes': 'Nur Autoren verwalten Quizze',
  'Only authors manage courses': 'Nur Autoren verwalten Kurse',
  'The server refused an earlier attempt at this quiz. Decide what to do with it first':
    'Der Server hat einen früheren Versuch dieses Quiz abgelehnt. Entscheiden Sie zuerst, was damit geschieht',
  'Only an attempt that the server refused can be submitted as a new one':
    'Nur ein Versuch, den der Server abgelehnt hat, kann als neuer eingereicht werden',
  'This attempt has ended. Begin another': 'Dieser Versuch ist zu Ende. Beginnen Sie einen neuen',
  'This attempt was {} on {} UTC. You can submit these answers as a new attempt.':
    'Dieser Versuch endete am {2} UTC. Sie können diese Antworten als neuen Versuch einreichen.',
  'Answers have at most {} characters': 'Antworten haben höchstens {1} Zeichen',
  'The quiz has no questions': 'Das Quiz hat keine Fragen',
  'A quiz has at most {} questions': 'Ein Quiz hat höchstens {1} Fragen',
  'A quiz has at most {} characters': 'Ein Quiz hat höchstens {1} Zeichen',
  'Question {} is named twice': 'Die Frage {1} kommt zweimal vor',
  'Two questions have the name {}': 'Zwei Fragen heißen {1}',
  'The guide has changed meanwhile. It is being fetched: try again':
    'Die Anleitung wurde inzwischen geändert und wird gerade geladen: Versuchen Sie es noch einmal',
  'Only authors manage external training modules': 'Nur Autoren verwalten Schulungsmodule',
  'Only who is assigned to a course with this module plays it':
    'Dieses Modul spielt nur, wem ein Kurs damit zugewiesen ist',
  'The module has no current version yet': 'Das Modul hat noch keine veröffentlichte Version',
  'Learners play this version. Make another one current first':
    'Diese Version wird gespielt. Veröffentlichen Sie zuerst eine andere',
  'The course “{}” asks for this module': 'Der Kurs „{1}“ verlangt dieses Modul',
  'Import {} is under way. Cancel it first': 'Import {1} läuft noch. Brechen Sie ihn zuerst ab',
  'The package has more than {} MB': 'Das Paket hat mehr als {1} MB',
  'The module player is not running': 'Die Wiedergabe von Modulen läuft nicht',
  // Archives.
  'Archive not found': 'Dieses Archiv gibt es nicht mehr',
  'Enter an address that begins with http:// or https://':
    'Geben Sie eine Adresse ein, die mit http:// oder https:// beginnt',
  'The address is in a private network, and you did not allow the download':
    'Die Adresse liegt in einem privaten Netz, und Sie haben das Herunterladen nicht erlaubt',
  'There is no guide in it that is on this device. Guides that were never saved come along after that.':
    'Keine Anleitung daraus ist auf diesem Gerät. Anleitungen, die nie gespeichert wurden, kommen nach dem Speichern mit.',
  'There is no guide that you could take along': 'Es gibt keine Anleitung, die Sie mitnehmen könnten',
  'You may not import archives': 'Sie dürfen keine Archive importieren',
  'You may not make archives': 'Sie dürfen keine Archive erstellen',
  'Only administrators give guides to others': 'Nur Administratoren geben Anleitungen an andere',
  'The page would be too large; make an archive instead':
    'Die Seite würde zu groß; erstellen Sie stattdessen ein Archiv',
  'The file of this import is not there, or not any more; send it again':
    'Die Datei dieses Imports ist nicht oder nicht mehr da; senden Sie sie noch einmal',
  'The archive is being made; ask again in some seconds':
    'Das Archiv wird gerade erstellt; versuchen Sie es gleich noch einmal',
  'The address answered {}': 'Die Adresse antwortete mit {1}',
  'The address answered with nothing': 'Die Adresse antwortete mit nichts',
  'The address did not answer in time': 'Die Adresse antwortete nicht rechtzeitig',
  'The address could not be reached ({})': 'Die Adresse ist nicht erreichbar ({1})',
  'The file is too large': 'Die Datei ist zu groß',
  'There is nothing in the archive': 'Das Archiv ist leer',
  'The server could not make it. Ask for it again.':
    'Der Server konnte es nicht erstellen. Fordern Sie es noch einmal an.',
  'The connection broke off. It goes on by itself.': 'Die Verbindung brach ab. Es geht von selbst weiter.',
  'This archive is not there any more. Remove it here, and look for a newer one.':
    'Dieses Archiv gibt es nicht mehr. Entfernen Sie es hier, und suchen Sie ein neueres.',
  'The server does not hand it out.': 'Der Server gibt es nicht heraus.',
  'What arrived is not what was offered. Go on to fetch it anew.':
    'Was ankam, ist nicht das Angebotene. Setzen Sie fort, um es neu zu laden.',
  'It belongs to another server. Sign in there to go on.':
    'Es gehört zu einem anderen Server. Melden Sie sich dort an, um fortzusetzen.',
  'This is not a file of waiting work, or its beginning is damaged.':
    'Das ist keine Datei mit wartender Arbeit, oder ihr Anfang ist beschädigt.',
  'A newer version of this app wrote this file. Update the app, then import it.':
    'Diese Datei stammt von einer neueren Fassung der App. Aktualisieren Sie die App, und importieren Sie sie dann.',
  'The beginning of this file is damaged: it does not say whose work it is.':
    'Der Anfang dieser Datei ist beschädigt: Sie sagt nicht, wessen Arbeit das ist.',
  'This is the work of {} at {}, and you are signed in as {} at {}. Sign in there as {} to import it.':
    'Das ist die Arbeit von {1} bei {2}, und Sie sind als {3} bei {4} angemeldet. Melden Sie sich dort als {5} an, um sie zu importieren.',
  'Another window of this app syncs this device. Check the device there.':
    'Ein anderes Fenster dieser App gleicht dieses Gerät ab. Prüfen Sie das Gerät dort.',
  'It is still being found out which files this device needs. Try again in a moment.':
    'Es wird noch ermittelt, welche Dateien dieses Gerät braucht. Versuchen Sie es gleich noch einmal.',
  // Administration.
  'A backup is being made already': 'Es wird schon eine Sicherung gemacht',
  'A backup is being restored': 'Eine Sicherung wird gerade wiederhergestellt',
  'A restore is running already': 'Es wird schon etwas wiederhergestellt',
  'The server was started without a folder for backups (--backup)':
    'Der Server wurde ohne Ordner für Sicherungen gestartet (--backup)',
  'Enter the folder of the backups on the server': 'Geben Sie den Ordner der Sicherungen auf dem Server ein',
  'There is no backup {} in {}': 'Es gibt keine Sicherung {1} in {2}',
  'The code is wrong. The server prints it when it starts':
    'Der Code ist falsch. Der Server gibt ihn beim Start aus',
  'This server has been set up already. Sign in instead':
    'Dieser Server ist schon eingerichtet. Melden Sie sich an',
  'No mail server is set up': 'Es ist kein Mailserver eingerichtet',
  'Your account has no e-mail address': 'Ihr Konto hat keine E-Mail-Adresse',
  'The mail server did not take it: {}': 'Der Mailserver hat die E-Mail nicht angenommen: {1}',
  'The languages must include the source language {}': 'Die Sprachen müssen die Hauptsprache {1} enthalten',
  '{} is no language of this site': '{1} ist hier keine Sprache',
  'Name a network such as 192.168.10.0/24': 'Nennen Sie ein Netz wie 192.168.10.0/24',
  'Name an origin such as https://shop.example.org, or any':
    'Nennen Sie einen Ursprung wie https://shop.example.org oder any',
  'Must be an X.509 certificate of an RSA key, in PEM':
    'Muss ein X.509-Zertifikat eines RSA-Schlüssels im PEM-Format sein',
};
