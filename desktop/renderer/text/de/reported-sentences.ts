/**
 * The German of what archives, jobs, backups and the checks of a server report, which is English. Values as in
 * `refusedSentences`; no full stop at the end. A value that is such a sentence is translated, too.
 */
export const reportedSentences: Readonly<Record<string, string>> = {
  // Archives that cannot be read.
  '{} is neither a ZIP package nor an XML document': '{1} ist weder ein ZIP-Paket noch ein XML-Dokument',
  '{} is no document of oManual': '{1} ist kein oManual-Dokument',
  '{} is XML, but {} is no document of oManual': '{1} ist XML, aber {2} ist kein oManual-Dokument',
  '{} has neither an index nor a guide in it': '{1} enthält weder ein Verzeichnis noch eine Anleitung',
  'Everything is in the folder {}': 'Alles liegt im Ordner {1}',
  'The archive has no guide {}': 'Das Archiv hat keine Anleitung {1}',
  'The document {} is not in the package': 'Das Dokument {1} fehlt im Paket',
  'The package has no {}': 'Im Paket fehlt {1}',
  '{} is no guide but {}': '{1} ist keine Anleitung, sondern {2}',
  'The document has more than {} bytes': 'Das Dokument hat mehr als {1} Byte',
  '{} has more than {} bytes': '{1} hat mehr als {2} Byte',
  '{} is not valid {}': '{1} ist kein gültiges {2}',
  '{} is written in {}, which cannot be read': '{1} ist in {2} geschrieben, was nicht lesbar ist',
  'The document': 'Das Dokument',
  '{} has a DOCTYPE ({})': '{1} hat einen DOCTYPE ({2})',
  '{} has a text that is too long ({})': '{1} hat einen zu langen Text ({2})',
  '{} is empty ({})': '{1} ist leer ({2})',
  '{} nests elements too deep ({})': '{1} verschachtelt Elemente zu tief ({2})',
  '{} has too many namespaces ({})': '{1} hat zu viele Namensräume ({2})',
  '{} has too many elements ({})': '{1} hat zu viele Elemente ({2})',
  '{} uses an entity that XML does not know ({})': '{1} verwendet eine Entität, die XML nicht kennt ({2})',
  '{} is not well-formed ({}) ({})': '{1} ist kein wohlgeformtes XML ({2}) ({3})',
  'line {}, column {}': 'Zeile {1}, Spalte {2}',
  'The package has {} members': 'Das Paket hat {1} Einträge',
  'The package is one of several parts': 'Das Paket ist nur einer von mehreren Teilen',
  'The package has no directory; it is damaged or no ZIP file':
    'Das Paket hat kein Verzeichnis; es ist beschädigt oder keine ZIP-Datei',
  'The directory of the package is not where it should be':
    'Das Verzeichnis des Pakets ist nicht an seiner Stelle',
  'The directory of the package is damaged': 'Das Verzeichnis des Pakets ist beschädigt',
  'The directory of the package ends too early': 'Das Verzeichnis des Pakets endet zu früh',
  'The directory of the package goes on after the stated {} members':
    'Das Verzeichnis des Pakets geht nach den angegebenen {1} Einträgen weiter',
  'The directory is damaged': 'Das Verzeichnis ist beschädigt',
  'The package has {} twice': 'Das Paket enthält {1} zweimal',
  '{} is a file and a folder in the package': '{1} ist im Paket zugleich Datei und Ordner',
  'A member of the package has no name': 'Ein Eintrag des Pakets hat keinen Namen',
  '{} is encrypted': '{1} ist verschlüsselt',
  '{} is packed in an unknown way': '{1} ist auf unbekannte Weise gepackt',
  '{} is stored with two different sizes': '{1} ist mit zwei verschiedenen Größen gespeichert',
  'The folder {} has content': 'Der Ordner {1} hat einen Inhalt',
  '{} is a link': '{1} ist eine Verknüpfung',
  '{} is no ordinary file': '{1} ist keine gewöhnliche Datei',
  '{} would expand to {} bytes from {}': '{1} würde von {3} auf {2} Byte anwachsen',
  'The package would expand to too many bytes': 'Das Paket wäre entpackt zu groß',
  'The package would expand to far more bytes than it has':
    'Das Paket wäre entpackt um ein Vielfaches größer als gepackt',
  '{} overlaps with something else in the package': '{1} überschneidet sich mit etwas anderem im Paket',
  'A size in the package is absurd': 'Eine Größe im Paket ist unmöglich',
  'A name in the package is not valid UTF-8': 'Ein Name im Paket ist kein gültiges UTF-8',
  'The name {} is too long': 'Der Name {1} ist zu lang',
  'The name {} has a backslash': 'Der Name {1} enthält einen umgekehrten Schrägstrich',
  'The name {} has control characters': 'Der Name {1} enthält Steuerzeichen',
  'The name {} is absolute': 'Der Name {1} ist ein absoluter Pfad',
  'The name {} leads out of the package': 'Der Name {1} führt aus dem Paket hinaus',
  '{} is damaged': '{1} ist beschädigt',
  '{} cannot be unpacked': '{1} lässt sich nicht entpacken',
  '{} expands to more bytes than the package says': '{1} ist entpackt größer, als das Paket angibt',
  '{} has another size than the package says': '{1} hat eine andere Größe, als das Paket angibt',
  '{} is not where the package says': '{1} ist nicht dort, wo das Paket angibt',
  '{} has another name in its own header': '{1} hat im eigenen Kopf einen anderen Namen',
  '{} is packed otherwise in its own header': '{1} ist laut dem eigenen Kopf anders gepackt',
  '{} has another checksum in its own header': '{1} hat im eigenen Kopf eine andere Prüfsumme',
  '{} has another size in its own header': '{1} hat im eigenen Kopf eine andere Größe',
  // What a check finds in archives.
  '{} is in {}, not in {}': '{1} gehört zu {2}, nicht zu {3}',
  'no namespace': 'keinem Namensraum',
  'the namespace {}': 'dem Namensraum {1}',
  'The format has no element {}': 'Das Format hat kein Element {1}',
  '{} has no attribute {}': '{1} hat kein Attribut {2}',
  '{} needs the attribute {}': '{1} braucht das Attribut {2}',
  '{} holds text, where only elements may stand': '{1} enthält Text, wo nur Elemente stehen dürfen',
  '{} may hold text only': '{1} darf nur Text enthalten',
  '{} may not stand in {}': '{1} darf nicht in {2} stehen',
  '{} may not stand here in {}': '{1} darf an dieser Stelle von {2} nicht stehen',
  '{} has {} twice': '{1} enthält {2} zweimal',
  '{} needs the element {}': '{1} braucht das Element {2}',
  '{} needs the element {} here': '{1} braucht an dieser Stelle das Element {2}',
  '{} is {}, which is not {}': '{1} ist {2}; nötig ist {3}',
  'a whole number': 'eine ganze Zahl',
  'a whole number from 1 on': 'eine ganze Zahl ab 1',
  'a number': 'eine Zahl',
  'an address': 'eine Adresse',
  'a date with time, such as 2024-01-02T03:04:05Z': 'ein Datum mit Zeit, etwa 2024-01-02T03:04:05Z',
  'The locale {} is no language tag such as en or pt-br':
    'Die Sprache {1} ist kein Sprachkürzel wie en oder pt-br',
  'The summary has more than {} characters': 'Die Zusammenfassung hat mehr als {1} Zeichen',
  'The difficulty is none of {}': 'Der Schwierigkeitsgrad ist keiner von {1}',
  'The date has no time zone': 'Das Datum hat keine Zeitzone',
  'The guide was changed before it was made': 'Die Anleitung wurde geändert, bevor sie entstand',
  'The number of the step should be {}; it is {}': 'Die Nummer des Schritts sollte {1} sein; sie ist {2}',
  'The bullet {} is none of {}': 'Das Zeichen {1} ist keines von {2}',
  'The level of the line is {}; it should be 0 to 3': 'Die Stufe der Zeile ist {1}; sie sollte 0 bis 3 sein',
  'The line has more than {} characters': 'Die Zeile hat mehr als {1} Zeichen',
  '{} holds markup that is escaped as text': '{1} enthält Auszeichnungen, die als Text maskiert sind',
  'The media is called {} and holds {}': 'Das Medium heißt {1} und enthält {2}',
  'The type of an embedded page is one of {}': 'Die Art einer eingebetteten Seite ist eine von {1}',
  'The version of an embedded page (oEmbed) is 1.0': 'Die Version einer eingebetteten Seite (oEmbed) ist 1.0',
  'The attribute {} of {} runs a script or holds data':
    'Das Attribut {1} von {2} führt ein Skript aus oder enthält Daten',
  'There is neither an index nor a guide in it': 'Es ist weder ein Verzeichnis noch eine Anleitung darin',
  'Another member has this name in other letter case':
    'Ein anderer Eintrag hat diesen Namen in anderer Groß- und Kleinschreibung',
  'Windows cannot have a file of this name': 'Windows kann keine Datei dieses Namens haben',
  'No file or folder can have a name of more than {} bytes':
    'Keine Datei und kein Ordner kann einen Namen von mehr als {1} Byte haben',
  'Characters that turn the direction of writing make the name look like another':
    'Zeichen, die die Schreibrichtung umkehren, lassen den Namen wie einen anderen aussehen',
  'The document declares {}, but is written in another encoding':
    'Das Dokument gibt {1} an, ist aber in einer anderen Kodierung geschrieben',
  'The path is empty': 'Der Pfad ist leer',
  '{} is not in the package': '{1} ist nicht im Paket',
  '{} is not in the package; {} may be meant': '{1} ist nicht im Paket; gemeint ist vielleicht {2}',
  '{} counts from the root; some readers cannot follow':
    '{1} zählt von der Wurzel an; manche Programme können dem nicht folgen',
  '{} is {} × {}; {} is at most {}': '{1} ist {2} × {3}; {4} ist höchstens {5}',
  'Two guides have the id {}': 'Zwei Anleitungen haben die Kennung {1}',
  'The archive is of version {}; only version 1.0 is checked in full':
    'Das Archiv ist von Version {1}; nur Version 1.0 wird vollständig geprüft',
  // What is noticed in archives that are read.
  'There is more to report': 'Es gibt noch mehr zu berichten',
  '{} more lines are not shown here; “benchbook omanual check” lists all':
    '{1} weitere Zeilen stehen hier nicht; „benchbook omanual check“ nennt alle',
  'More than {} further findings are not listed': 'Mehr als {1} weitere Meldungen sind nicht aufgeführt',
  '{} further findings are not listed': '{1} weitere Meldungen sind nicht aufgeführt',
  'Of {} guides and categories the first {} are listed; the numbers count all of them':
    'Von {1} Anleitungen und Kategorien sind die ersten {2} aufgeführt; die Zahlen zählen alle',
  '{} is a placeholder of the producer': '{1} ist ein Platzhalter des Herstellers',
  'Markup that was escaped as text was read as markup':
    'Auszeichnungen, die als Text maskiert waren, wurden als Auszeichnungen gelesen',
  'The element {} was left out': 'Das Element {1} wurde weggelassen',
  'A picture in the text is not in the archive': 'Ein Bild im Text ist nicht im Archiv',
  'A link to {} was left out': 'Ein Verweis auf {1} wurde weggelassen',
  'The category has no name and was left out': 'Die Kategorie hat keinen Namen und wurde weggelassen',
  'A category has no tools: {} were left out': 'Eine Kategorie hat keine Werkzeuge: {1} wurden weggelassen',
  'A category has no parts: {} were left out': 'Eine Kategorie hat keine Teile: {1} wurden weggelassen',
  'An embedded page without an address was left out':
    'Eine eingebettete Seite ohne Adresse wurde weggelassen',
  '{} is linked: it is no player we know': '{1} wird nur verlinkt: Dieser Player ist nicht bekannt',
  'No index lists {}': 'Kein Verzeichnis führt {1} auf',
  '{} was read as {}': '{1} wurde als {2} gelesen',
  'The guide {} is not in the archive': 'Die Anleitung {1} ist nicht im Archiv',
  '{} is listed twice': '{1} ist zweimal aufgeführt',
  'The document names no language; English was assumed':
    'Das Dokument nennt keine Sprache; Englisch wurde angenommen',
  '{}; it was read as technique': '{1}; sie wurde als Arbeitstechnik gelesen',
  'The guide has no type': 'Die Anleitung hat keine Art',
  'The type {} is unknown': 'Die Art {1} ist unbekannt',
  'A guide has one category; {} was left out': 'Eine Anleitung hat nur eine Kategorie; {1} wurde weggelassen',
  'The difficulty {} is unknown': 'Der Schwierigkeitsgrad {1} ist unbekannt',
  'The time {} cannot be read': 'Die Zeitangabe {1} ist nicht lesbar',
  'The document says no date': 'Das Dokument nennt kein Datum',
  'The date has no time zone; UTC was assumed': 'Das Datum hat keine Zeitzone; UTC wurde angenommen',
  'The date {} cannot be read': 'Das Datum {1} ist nicht lesbar',
  'What the introduction shows was put into its text': 'Was die Einleitung zeigt, steht jetzt in ihrem Text',
  'The flag {} has no id that could be known': 'Das Kennzeichen {1} hat keine erkennbare Kennung',
  'The address {} is no web address': 'Die Adresse {1} ist keine Webadresse',
  'The path {} leads out of the package': 'Der Pfad {1} führt aus dem Paket hinaus',
  '{} is a picture of a kind that is not taken': '{1} ist ein Bild einer Art, die nicht übernommen wird',
  'No image is named': 'Es ist kein Bild angegeben',
  'No video is named': 'Es ist kein Video angegeben',
  'No document is named': 'Es ist kein Dokument angegeben',
  'The image {} is not in the package': 'Das Bild {1} fehlt im Paket',
  'The video {} is not in the package': 'Das Video {1} fehlt im Paket',
  '{} is {}, which its name does not say': '{1} ist {2}, anders als der Name sagt',
  '{} is no picture, as it claims to be': '{1} ist kein Bild, obwohl der Name es sagt',
  '{} is no video, as it claims to be': '{1} ist kein Video, obwohl der Name es sagt',
  '{} is no PDF document, as it claims to be': '{1} ist kein PDF-Dokument, obwohl der Name es sagt',
  'How large {} is could not be told': 'Die Größe von {1} ließ sich nicht feststellen',
  '{} was changed since; what is kept about it was left out':
    '{1} wurde seither geändert; was dazu aufbewahrt ist, wurde weggelassen',
  '{} was changed since; what is kept beside it was left out':
    '{1} wurde seither geändert; was daneben aufbewahrt ist, wurde weggelassen',
  'What is kept beside the documents cannot be read and was left out':
    'Was neben den Dokumenten aufbewahrt ist, ist nicht lesbar und wurde weggelassen',
  'The guide has no steps': 'Die Anleitung hat keine Schritte',
  'The steps were put into the order of their numbers': 'Die Schritte wurden nach ihren Nummern geordnet',
  '{}; it was read as black': '{1}; es wurde als schwarz gelesen',
  'The line has no bullet': 'Die Zeile hat kein Aufzählungszeichen',
  'The bullet {} is unknown': 'Das Aufzählungszeichen {1} ist unbekannt',
  'The line has no level from 0 to 3': 'Die Zeile hat keine Ebene von 0 bis 3',
  'A step has one kind of media; these were left out':
    'Ein Schritt hat nur eine Art von Medien; diese wurden weggelassen',
  'The media of the step is empty': 'Die Medien des Schritts sind leer',
  'The video has no file in the archive and no address':
    'Das Video hat weder eine Datei im Archiv noch eine Adresse',
  'A tool without a name was left out': 'Ein Werkzeug ohne Namen wurde weggelassen',
  'A part without a name was left out': 'Ein Teil ohne Namen wurde weggelassen',
  'The order number {} was put into the notes': 'Die Bestellnummer {1} steht jetzt in den Notizen',
  'A further source of a tool or part was left out':
    'Eine weitere Bezugsquelle eines Werkzeugs oder Teils wurde weggelassen',
  'The quantity {} was read as {}': 'Die Menge {1} wurde als {2} gelesen',
  'The address {} was left out': 'Die Adresse {1} wurde weggelassen',
  // What is noticed when archives are written.
  'There is no guide in the archive; nothing was written':
    'Im Archiv ist keine Anleitung; es wurde nichts geschrieben',
  'The picture {} is only linked and was left out': 'Das Bild {1} ist nur verlinkt und wurde weggelassen',
  'The address {} is left out': 'Die Adresse {1} wird weggelassen',
  'The document {} has no file': 'Das Dokument {1} hat keine Datei',
  'The guide has no picture: the first of its steps stands for it':
    'Die Anleitung hat kein Bild: Das erste aus ihren Schritten steht dafür',
  'The summary is cut after {} characters': 'Die Zusammenfassung ist nach {1} Zeichen abgeschnitten',
  'The format has no difficulty {}': 'Das Format kennt den Schwierigkeitsgrad {1} nicht',
  'Left out {} that not everyone can see': 'Weggelassen, weil nicht alle es sehen dürfen: {1}',
  'a prerequisite': 'eine Voraussetzung',
  '{} prerequisites': '{1} Voraussetzungen',
  'The guide was changed before it was created': 'Die Anleitung wurde geändert, bevor sie angelegt wurde',
  'A file is not at hand, so that the archive links to it':
    'Eine Datei ist nicht verfügbar; das Archiv verweist auf sie',
  'The markers of a picture are kept as data, but not drawn':
    'Die Markierungen eines Bildes sind als Daten enthalten, aber nicht eingezeichnet',
  'A text that is too long once its lists and templates are expanded is written as plain text':
    'Ein Text, der mit ausgeführten Listen und Vorlagen zu lang ist, wird ohne Auszeichnungen geschrieben',
  'The numbers of a numbered list are written into its items':
    'Die Nummern einer nummerierten Liste stehen in ihren Einträgen',
  'A table is written as a list with one item per row':
    'Eine Tabelle wird als Liste mit einem Eintrag je Zeile geschrieben',
  'A list of guides is left out': 'Eine Liste von Anleitungen wird weggelassen',
  'A link leads to something that is not there; only its text is written':
    'Ein Verweis führt ins Leere; nur sein Text wird geschrieben',
  'A link has no address that the format can have; only its text is written':
    'Ein Verweis hat keine Adresse, die das Format haben kann; nur sein Text wird geschrieben',
  'Picture {} in the text is not there': 'Bild {1} im Text ist nicht vorhanden',
  'A picture in the text is written as a link to it': 'Ein Bild im Text wird als Verweis darauf geschrieben',
  'A step with {} is written as {} steps': 'Ein Schritt mit {1} wird als {2} Schritte geschrieben',
  '{} pictures': '{1} Bildern',
  '{} lines': '{1} Zeilen',
  '{} lines are written in blocks of {}; some readers show the first only':
    '{1} Zeilen stehen in Blöcken zu je {2}; manche Leseprogramme zeigen nur den ersten',
  'A light blue bullet is written as blue': 'Ein hellblaues Aufzählungszeichen wird als blaues geschrieben',
  'Level {} is written as {}': 'Ebene {1} wird als {2} geschrieben',
  'A line has more than {} characters, some readers cut it':
    'Eine Zeile hat mehr als {1} Zeichen; manche Leseprogramme schneiden sie ab',
  'The video {} has no file': 'Das Video {1} hat keine Datei',
  'The format has room for one category: the others are kept in our own member only':
    'Das Format hat Platz für eine Kategorie: Die anderen stehen nur in unserem eigenen Teil des Archivs',
  'Guide {} comes twice': 'Anleitung {1} kommt zweimal vor',
  'The archive would hold more than {} files; make several, such as one for each category':
    'Das Archiv hätte mehr als {1} Dateien; erstellen Sie mehrere, etwa eines je Kategorie',
  'The archive would hold more than {}; make several, such as one for each category':
    'Das Archiv hätte mehr als {1}; erstellen Sie mehrere, etwa eines je Kategorie',
  'The archive would list more guides and categories than one index can hold; make several, such as one for each category':
    'Das Archiv würde mehr Anleitungen und Kategorien aufführen, als ein Verzeichnis fasst; erstellen Sie mehrere, etwa eines je Kategorie',
  'The guide “{}” has a text of more than {} characters; shorten it':
    'Die Anleitung „{1}“ hat einen Text von mehr als {2} Zeichen; kürzen Sie ihn',
  'The guide “{}” has more steps and lines than one document can hold; make several guides of it':
    'Die Anleitung „{1}“ hat mehr Schritte und Zeilen, als ein Dokument fasst; machen Sie mehrere Anleitungen daraus',
  'The guide “{}” has more than {} of text; make several guides of it':
    'Die Anleitung „{1}“ hat mehr als {2} Text; machen Sie mehrere Anleitungen daraus',
  'The page of “{}” has a text of more than {} characters; shorten it':
    'Die Seite von „{1}“ hat einen Text von mehr als {2} Zeichen; kürzen Sie ihn',
  '{} changed while it was read': '{1} hat sich beim Lesen geändert',
  // Imports and exports of the server.
  'The archive lists more than can be imported at once':
    'Das Archiv führt mehr auf, als auf einmal importiert werden kann',
  'The guide has too much text': 'Die Anleitung hat zu viel Text',
  'The archive': 'Das Archiv',
  '{} takes more time or memory to read than an import may':
    '{1} braucht zum Lesen mehr Zeit oder Speicher, als ein Import haben darf',
  'A file is only linked; the import tries to fetch it':
    'Eine Datei ist nur verlinkt; der Import versucht, sie zu laden',
  'A file is only linked, so that it does not come along':
    'Eine Datei ist nur verlinkt und kommt deshalb nicht mit',
  'A picture is too large for this site': 'Ein Bild ist für diesen Server zu groß',
  'A linked file could not be had: {}': 'Eine verlinkte Datei war nicht zu laden: {1}',
  '{} did not answer {} times': '{1} hat {2}-mal nicht geantwortet',
  'This import fetched as many bytes as one may':
    'Dieser Import hat schon so viel geladen, wie ein Import laden darf',
  'It builds on {}, which is not inside': 'Die Anleitung baut auf {1} auf, und das ist nicht enthalten',
  'The guide is here and you may not edit it':
    'Die Anleitung gibt es hier schon, und Sie dürfen sie nicht bearbeiten',
  'There is no account of {}; the importer becomes the author of the guide':
    '{1} hat hier kein Konto; wer importiert, wird Autor der Anleitung',
  'The uploaded file is not here any more; send it again':
    'Die hochgeladene Datei ist nicht mehr da; senden Sie sie noch einmal',
  'The file of this import was there already; begin another import':
    'Die Datei dieses Imports war schon da; beginnen Sie einen neuen Import',
  'Bytes up to {} are there; send those that follow': 'Die ersten {1} Byte sind da; senden Sie die folgenden',
  'The file shall have {} bytes': 'Die Datei soll {1} Byte haben',
  'The import has not begun': 'Der Import hat noch nicht begonnen',
  'Only an import that is over is undone': 'Nur ein beendeter Import lässt sich zurücknehmen',
  'A dry run changed nothing': 'Ein Probelauf hat nichts geändert',
  'The import is being undone': 'Der Import wird gerade zurückgenommen',
  'The server failed; the job may be begun again':
    'Der Server hatte einen Fehler; Sie können die Aufgabe neu beginnen',
  'The job was interrupted {} times': 'Die Aufgabe wurde {1}-mal unterbrochen',
  'The job was cancelled': 'Die Aufgabe wurde abgebrochen',
  'Guides were hidden again and again while the archive was written':
    'Während das Archiv entstand, wurden immer wieder Anleitungen verborgen',
  'The whole site has more than {} files, more than one archive can hold. Take the archives of its categories':
    'Alle Anleitungen zusammen haben mehr als {1} Dateien, mehr als ein Archiv fasst. Nehmen Sie die Archive der Kategorien',
  '“{}” has more than {} files, more than one archive can hold. Take the archives of the categories below it, or have one made of some of its guides':
    '„{1}“ hat mehr als {2} Dateien, mehr als ein Archiv fasst. Nehmen Sie die Archive der Kategorien darunter, oder lassen Sie eines mit einigen ihrer Anleitungen erstellen',
  'The whole site is larger than one archive can be. Take the archives of its categories':
    'Alle Anleitungen zusammen sind größer, als ein Archiv sein kann. Nehmen Sie die Archive der Kategorien',
  '“{}” is larger than one archive can be. Take the archives of the categories below it, or have one made of some of its guides':
    '„{1}“ ist größer, als ein Archiv sein kann. Nehmen Sie die Archive der Kategorien darunter, oder lassen Sie eines mit einigen ihrer Anleitungen erstellen',
  // Imports of training modules.
  Fetching: 'wird geladen',
  Unpacking: 'wird entpackt',
  'The server failed; the import may be begun again':
    'Der Server hatte einen Fehler; Sie können den Import neu beginnen',
  'The package could not be fetched': 'Das Paket war nicht zu laden',
  'The package could not be fetched ({})': 'Das Paket war nicht zu laden ({1})',
  '{} is not a public address, or cannot be found. Ask an administrator: the server log says which':
    '{1} ist keine öffentliche Adresse oder nicht zu finden. Fragen Sie einen Administrator: Was davon zutrifft, steht im Protokoll des Servers',
  'The address must begin with http:// or https://': 'Die Adresse muss mit http:// oder https:// beginnen',
  'The address must not hold a user name or password':
    'Die Adresse darf keinen Anmeldenamen und kein Passwort enthalten',
  '{} has {} parts; the limit is {}': '{1} hat {2} Teile; höchstens {3} sind möglich',
  'The manifest has texts of more than {} characters, counting what several parts share for each of them':
    'Die Texte im Manifest haben mehr als {1} Zeichen; was mehrere Teile gemeinsam haben, zählt für jeden',
  'The sequencing of the parts has more than {} elements and attributes, counting what several parts share for each of them':
    'Die Ablaufregeln der Teile haben mehr als {1} Elemente und Attribute; was mehrere Teile gemeinsam haben, zählt für jeden',
  '{}: {} names no file to launch': '{1}: {2} nennt keine Datei zum Starten',
  '{}: {} launches {}, which is outside of the package':
    '{1}: {2} startet {3}; das liegt außerhalb des Pakets',
  '{}: {} launches an address of more than {} characters':
    '{1}: {2} startet eine Adresse mit mehr als {3} Zeichen',
  '{}: {} launches {}, which is no address in the package':
    '{1}: {2} startet {3}; das ist keine Adresse im Paket',
  '{}: {} launches {}, which is not in the package': '{1}: {2} startet {3}; das fehlt im Paket',
  'unit {}': 'Einheit {1}',
  'resource {}': 'Ressource {1}',
  'activity {}': 'Aktivität {1}',
  '{} has no [Course]': '{1} hat keinen Abschnitt [Course]',
  '{} has no file of assignable units (.au) beside it':
    'Neben {1} fehlt die Datei mit den zuweisbaren Einheiten (.au)',
  '{} has no file of descriptors (.des) beside it': 'Neben {1} fehlt die Datei mit den Beschreibungen (.des)',
  '{} has no course structure (.cst) beside it': 'Neben {1} fehlt die Datei mit dem Kursaufbau (.cst)',
  '{} names no assignable unit of {}': '{1} nennt keine zuweisbare Einheit aus {2}',
  '{} has a row without System_ID': '{1} hat eine Zeile ohne System_ID',
  '{} has no course': '{1} hat keinen Kurs',
  '{} has no assignable unit (au)': '{1} hat keine zuweisbare Einheit (au)',
  '{} has two units called {}': '{1} hat zwei Einheiten namens {2}',
  '{} has a unit without id': '{1} hat eine Einheit ohne Kennung (id)',
  '{} has a block without id': '{1} hat einen Block ohne Kennung (id)',
  '{}: unit {} has a moveOn that cmi5 does not know': '{1}: Einheit {2} hat ein moveOn, das cmi5 nicht kennt',
  '{}: unit {} has a masteryScore that is not between 0 and 1':
    '{1}: Einheit {2} hat einen masteryScore, der nicht zwischen 0 und 1 liegt',
  '{} is not at the top of the package: pack the content of the folder, not the folder':
    '{1} liegt nicht ganz oben im Paket: Packen Sie den Inhalt des Ordners, nicht den Ordner',
  'The package is none of SCORM, xAPI, cmi5 or AICC: it has no imsmanifest.xml, tincan.xml, cmi5.xml or .crs file':
    'Das Paket ist weder SCORM noch xAPI, cmi5 oder AICC: Es enthält weder imsmanifest.xml noch tincan.xml, cmi5.xml oder eine .crs-Datei',
  '{} begins with <{}> instead of <manifest>': '{1} beginnt mit <{2}> statt mit <manifest>',
  '{} has no organization': '{1} hat keine Gliederung (organization)',
  '{} has no item that launches a resource': '{1} hat keinen Eintrag, der eine Ressource startet',
  '{} has two items called {}': '{1} hat zwei Einträge namens {2}',
  '{} is of schemaversion {}, which is not supported':
    '{1} hat die schemaversion {2}; sie wird nicht unterstützt',
  '{} does not say which SCORM it is: it has no schemaversion':
    '{1} sagt nicht, welches SCORM es ist: Die schemaversion fehlt',
  '{} names {} as its organization, which it does not have':
    '{1} nennt als Gliederung {2}, hat sie aber nicht',
  '{} has an item without identifier (line {})': '{1} hat einen Eintrag ohne identifier (Zeile {2})',
  '{} has an item {} for resource {}, which it does not have':
    '{1} hat einen Eintrag {2} zur Ressource {3}, hat diese aber nicht',
  '{} has no list of activities': '{1} hat keine Liste von Aktivitäten',
  '{} has an activity without an id': '{1} hat eine Aktivität ohne Kennung (id)',
  '{} has no activity that is launched': '{1} hat keine Aktivität, die gestartet wird',
  '{} has two activities called {}': '{1} hat zwei Aktivitäten namens {2}',
  // The checks of a server.
  '{} minute': '{1} Minute',
  '{} minutes': '{1} Minuten',
  '{} hour': '{1} Stunde',
  '{} hours': '{1} Stunden',
  '{} day': '{1} Tag',
  '{} days': '{1} Tagen',
  '{} and {} more': '{1} und {2} weitere',
  'No damage of the database was found': 'In der Datenbank wurde kein Schaden gefunden',
  'The database is damaged: {}': 'Die Datenbank ist beschädigt: {1}',
  'Stop the server and restore the newest backup ("benchbook restore")':
    'Halten Sie den Server an, und stellen Sie die neueste Sicherung wieder her („benchbook restore“)',
  'Access lists of Windows protect the data folder': 'Zugriffslisten von Windows schützen den Datenordner',
  '{} in {} belongs to another account than the one that runs this':
    '{1} in {2} gehört einem anderen Konto als dem, unter dem der Server läuft',
  '{} in {} belong to another account than the one that runs this':
    '{1} in {2} gehören einem anderen Konto als dem, unter dem der Server läuft',
  'Run benchbook as the account of the server, such as with "sudo -u benchbook". If files were copied there by another account: chown -R benchbook: {}':
    'Führen Sie benchbook unter dem Konto des Servers aus, etwa mit „sudo -u benchbook“. Wenn ein anderes Konto Dateien dorthin kopiert hat: chown -R benchbook: {1}',
  'Other accounts of this machine can open {} in {}':
    'Andere Konten dieses Rechners können {1} in {2} öffnen',
  'The next start of the server closes them; until then: chmod -R go= {}':
    'Der nächste Start des Servers sperrt sie; bis dahin: chmod -R go= {1}',
  'Only the account of the server can open the data folder':
    'Nur das Konto des Servers kann den Datenordner öffnen',
  'The disk of the data folder has {} free': 'Auf dem Datenträger des Datenordners sind {1} frei',
  'Make room, or move the data folder to a larger disk while the server is stopped':
    'Schaffen Sie Platz, oder legen Sie den Datenordner bei angehaltenem Server auf einen größeren Datenträger',
  'Until then saving fails, and reading goes on':
    'Bis dahin schlägt das Speichern fehl; lesen lässt sich weiter',
  'The write-ahead log of the database has {}': 'Das Write-Ahead-Log der Datenbank ist {1} groß',
  'The write-ahead log of the database has grown to {}':
    'Das Write-Ahead-Log der Datenbank ist auf {1} gewachsen',
  'A program keeps the database open in a long read, such as a backup tool that copies the file. End it; the log shrinks with the next restart of the server':
    'Ein Programm liest lange in der Datenbank, etwa ein Sicherungsprogramm, das die Datei kopiert. Beenden Sie es; das Log schrumpft beim nächsten Neustart des Servers',
  '{} is missing, by which devices know this server': '{1} fehlt; daran erkennen Geräte diesen Server',
  'Put it back from an encrypted backup. If it is lost, "benchbook site new-key" makes this another server for devices':
    'Holen Sie die Datei aus einer verschlüsselten Sicherung zurück. Ist sie verloren, macht „benchbook site new-key“ diesen Server für Geräte zu einem anderen',
  'Devices know this server as {}': 'Geräte kennen diesen Server als {1}',
  'Put the key back from an encrypted backup':
    'Holen Sie den Schlüssel aus einer verschlüsselten Sicherung zurück',
  '{} cannot be read. It must belong to the account that runs the server, with mode 0600':
    '{1} ist nicht lesbar. Die Datei muss dem Konto des Servers gehören, mit den Rechten 0600',
  '{} holds no Ed25519 key. Put the file back from a backup: devices know the server by it':
    '{1} enthält keinen Ed25519-Schlüssel. Holen Sie die Datei aus einer Sicherung zurück: Geräte erkennen daran den Server',
  'Single sign-on is off': 'Die zentrale Anmeldung (Single Sign-on) ist ausgeschaltet',
  'No certificate of the identity provider can be read': 'Kein Zertifikat des Identitätsanbieters ist lesbar',
  'Ask for the new certificate of the identity provider, and set both ("benchbook sign-on set") before the old one ends':
    'Fordern Sie das neue Zertifikat des Identitätsanbieters an, und tragen Sie beide ein („benchbook sign-on set“), bevor das alte abläuft',
  'The certificate of the identity provider': 'Das Zertifikat des Identitätsanbieters',
  '{} ended {} ago': '{1} ist vor {2} abgelaufen',
  '{} ends in {}': '{1} läuft in {2} ab',
  '{} is valid for another {}': '{1} läuft erst in {2} ab',
  // Backups.
  'There is no backup yet': 'Es gibt noch keine Sicherung',
  'The server makes the first one ten minutes after it starts':
    'Der Server macht die erste zehn Minuten nach seinem Start',
  'Start the server with --backup DIR, or run "benchbook backup DIR" by a timer of the system. Use another disk, or a network share':
    'Starten Sie den Server mit --backup ORDNER, oder lassen Sie das System regelmäßig „benchbook backup ORDNER“ ausführen. Nehmen Sie einen anderen Datenträger oder ein Netzlaufwerk',
  'There is no backup': 'Es gibt keine Sicherung',
  'There is no backup: {}': 'Es gibt keine Sicherung: {1}',
  'The last backup was made {} ago': 'Die letzte Sicherung ist vor {1} entstanden',
  '{} Since then one failed: {}': '{1} Seither ist eine fehlgeschlagen: {2}',
  'Mend what it says': 'Beheben Sie, was dort steht',
  '{} It lacks files: {}': '{1} Ihr fehlen Dateien: {2}',
  'Run "benchbook doctor" for the files that are missing':
    'Führen Sie „benchbook doctor“ aus, um zu sehen, welche Dateien fehlen',
  'Run "benchbook verify DIR", and look at what it says':
    'Führen Sie „benchbook verify ORDNER“ aus, und sehen Sie sich an, was es meldet',
  'No backup has passed a restore test yet':
    'Noch keine Sicherung hat einen Wiederherstellungstest bestanden',
  'The last restore test failed: {}': 'Der letzte Wiederherstellungstest ist fehlgeschlagen: {1}',
  'The last restore test passed {} ago': 'Der letzte Wiederherstellungstest wurde vor {1} bestanden',
  '{} of the backup cannot be used: {}': '{1} in der Sicherung ist nicht verwendbar: {2}',
  'it is missing': 'die Datei fehlt',
  'it is damaged': 'die Datei ist beschädigt',
  'The key file {} cannot be read ({})': 'Die Schlüsseldatei {1} ist nicht lesbar ({2})',
  'not a file': 'keine Datei',
  'unknown error': 'unbekannter Fehler',
  '{} holds no key. "benchbook backup-key FILE" makes one':
    '{1} enthält keinen Schlüssel. „benchbook backup-key DATEI“ erstellt einen',
  'The key cannot be written to {} ({})': 'Der Schlüssel lässt sich nicht nach {1} schreiben ({2})',
  '{} exists already. Backups that were made with it need it, so it is not replaced':
    '{1} gibt es schon. Sicherungen, die damit gemacht wurden, brauchen die Datei; sie wird deshalb nicht ersetzt',
  'The key in {} is damaged': 'Der Schlüssel in {1} ist beschädigt',
  'There is no folder {}': 'Den Ordner {1} gibt es nicht',
  'The folder {} cannot be used for backups ({})':
    'Der Ordner {1} ist für Sicherungen nicht verwendbar ({2})',
  'Another backup to {} is running': 'Es läuft schon eine Sicherung nach {1}',
  '{} did not store what was written there. Check the disk, then run the backup again':
    '{1} hat nicht gespeichert, was dorthin geschrieben wurde. Prüfen Sie den Datenträger, und starten Sie die Sicherung dann noch einmal',
  'There is no room for the backup in {}: it needs at least {} MB more. Earlier backups are as they were':
    'In {1} ist kein Platz für die Sicherung: Es fehlen mindestens {2} MB. Frühere Sicherungen sind unverändert',
  'There is no room for a copy of the database on the disk of {}: it needs {} MB more. Nothing was backed up':
    'Auf dem Datenträger von {1} ist kein Platz für eine Kopie der Datenbank: Es fehlen {2} MB. Es wurde nichts gesichert',
  '{} more findings of this kind': '{1} weitere Meldungen dieser Art',
  'The backup was made by a newer Benchbook ({}, schema {}); this one knows schema {}':
    'Die Sicherung stammt von einem neueren Benchbook ({1}, Schema {2}); dieses kennt Schema {3}',
  'The database of the backup is damaged: {}': 'Die Datenbank der Sicherung ist beschädigt: {1}',
  '{} rows of the database refer to rows that do not exist':
    '{1} Zeilen der Datenbank verweisen auf Zeilen, die es nicht gibt',
  'Audit log: {}': 'Audit-Protokoll: {1}',
  'The table {} has {} rows; it had {} when it was backed up':
    'Die Tabelle {1} hat {2} Zeilen; beim Sichern waren es {3}',
  'The file {} that a record names is not in the backup. It was missing or damaged in the data folder':
    'Die Datei {1}, die ein Datensatz nennt, ist nicht in der Sicherung. Sie fehlte im Datenordner oder war beschädigt',
  'There are no backups in {}': 'In {1} sind keine Sicherungen',
  '{} in {} is damaged, or was made by a newer Benchbook. Update Benchbook':
    '{1} in {2} ist beschädigt oder stammt von einem neueren Benchbook. Aktualisieren Sie Benchbook',
  'The backups in {} are not encrypted. Leave out the key, or name another folder':
    'Die Sicherungen in {1} sind nicht verschlüsselt. Lassen Sie den Schlüssel weg, oder nennen Sie einen anderen Ordner',
  'The backups in {} are encrypted. Name their key with --key':
    'Die Sicherungen in {1} sind verschlüsselt. Nennen Sie ihren Schlüssel mit --key',
  'The backups in {} are encrypted with another key ({})':
    'Die Sicherungen in {1} sind mit einem anderen Schlüssel verschlüsselt ({2})',
  'The backups in {} are those of another site. Name another folder':
    'Die Sicherungen in {1} gehören zu einer anderen Installation. Nennen Sie einen anderen Ordner',
  'The backups in {} are those of another server, of which this one is a copy. Name another folder. To go on with them because that server is no more, add --begin':
    'Die Sicherungen in {1} gehören zu einem anderen Server, von dem dieser eine Kopie ist. Nennen Sie einen anderen Ordner. Um sie fortzusetzen, weil es jenen Server nicht mehr gibt, ergänzen Sie --begin',
  'The list of files of the backup {} is damaged': 'Die Dateiliste der Sicherung {1} ist beschädigt',
  // The audit log of a backup.
  'The trigger {}, which keeps rows as they are, is gone':
    'Der Trigger {1}, der Zeilen unverändert hält, fehlt',
  'Row {} is another one than the row that was noted outside of the database':
    'Zeile {1} ist eine andere als die, die außerhalb der Datenbank vermerkt ist',
  'Row {} tells that the log did not go on from where it had ended; acknowledge it':
    'Zeile {1} besagt, dass das Protokoll nicht dort weiterging, wo es geendet hatte; bestätigen Sie das',
  'The log ends with row {}, but row {} was there: its end was cut off, or a backup was restored':
    'Das Protokoll endet mit Zeile {1}, aber es gab Zeile {2}: Das Ende wurde abgeschnitten oder eine Sicherung wiederhergestellt',
  'Row {} is missing': 'Zeile {1} fehlt',
  'Rows {} to {} are missing': 'Die Zeilen {1} bis {2} fehlen',
  'Row {} does not follow row {}: one of them was changed, moved, added or removed':
    'Zeile {1} folgt nicht auf Zeile {2}: Eine davon wurde geändert, verschoben, hinzugefügt oder entfernt',
  'Row {} was changed': 'Zeile {1} wurde geändert',
  'The key of the audit log is not in the data folder: its end cannot be checked':
    'Der Schlüssel des Audit-Protokolls ist nicht im Datenordner: Das Ende lässt sich nicht prüfen',
  'The key in the data folder is not the one that the log names':
    'Der Schlüssel im Datenordner ist nicht der, den das Protokoll nennt',
  'Line {} of the file of anchors was not written by this server':
    'Zeile {1} der Ankerdatei stammt nicht von diesem Server',
  'The file of anchors is empty or missing: the end of the log cannot be checked':
    'Die Ankerdatei ist leer oder fehlt: Das Ende des Protokolls lässt sich nicht prüfen',
  // Values of conflicts.
  'new picture': 'neues Bild',
  '{} with 1 marker': '{1} mit 1 Markierung',
  '{} with {} markers': '{1} mit {2} Markierungen',
  'picture {}': 'Bild {1}',
};

/** The German of what Node.js and Nodemailer say about a connection to a mail server. Values as above. */
export const connectionSentences: Readonly<Record<string, string>> = {
  'connect ECONNREFUSED {}': '{1} lehnt die Verbindung ab (ECONNREFUSED)',
  'connect EHOSTUNREACH {}': '{1} ist nicht erreichbar (EHOSTUNREACH)',
  'connect ENETUNREACH {}': 'Das Netz von {1} ist nicht erreichbar (ENETUNREACH)',
  'connect ETIMEDOUT {}': '{1} antwortet nicht (ETIMEDOUT)',
  'getaddrinfo ENOTFOUND {}': 'Der Name {1} ist nicht zu finden (ENOTFOUND)',
  'getaddrinfo EAI_AGAIN {}': 'Der Name {1} ist zurzeit nicht zu finden (EAI_AGAIN)',
  'read ECONNRESET': 'Die Verbindung wurde abgebrochen (ECONNRESET)',
  'self-signed certificate': 'Das Zertifikat ist selbst signiert',
  'self-signed certificate in certificate chain':
    'In der Zertifikatskette steht ein selbst signiertes Zertifikat',
  'unable to verify the first certificate': 'Das erste Zertifikat lässt sich nicht prüfen',
  'certificate has expired': 'Das Zertifikat ist abgelaufen',
  'Connection timeout': 'Die Verbindung kam nicht rechtzeitig zustande',
  'Greeting never received': 'Der Mailserver hat sich nicht gemeldet',
  'Connection closed unexpectedly': 'Der Mailserver hat die Verbindung unerwartet geschlossen',
  Timeout: 'Der Mailserver hat zu lange nicht geantwortet',
  'TLS handshake timed out': 'Der TLS-Handshake dauerte zu lange',
  'Error initiating TLS - {}': 'TLS kam nicht zustande: {1}',
  'Error upgrading connection with STARTTLS': 'Die Verbindung ließ sich nicht mit STARTTLS verschlüsseln',
  'Invalid greeting. response={}': 'Ungültige Begrüßung: {1}',
  'Server terminates connection. response={}': 'Der Mailserver beendet die Verbindung: {1}',
  'Unexpected Response': 'Unerwartete Antwort',
  'Missing credentials for "{}"': 'Für „{1}“ fehlen die Anmeldedaten',
  'Unknown authentication method "{}"': 'Unbekanntes Anmeldeverfahren „{1}“',
  'Invalid login: {}': 'Anmeldung abgelehnt: {1}',
  'Mail command failed: {}': 'Absender abgelehnt: {1}',
  'Recipient command failed: {}': 'Empfänger abgelehnt: {1}',
  'Data command failed: {}': 'Inhalt abgelehnt: {1}',
  'Message failed: {}': 'Nachricht abgelehnt: {1}',
  'No recipients defined': 'Es ist kein Empfänger angegeben',
};
