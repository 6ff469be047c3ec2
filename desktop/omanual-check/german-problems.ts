import type { Problems } from './problems.ts';

const repack =
  'Packen Sie die Dateien mit einem üblichen ZIP-Programm neu, oder exportieren Sie das Archiv noch einmal.';
const rename = 'Benennen Sie die Datei um, und ändern Sie die Pfade dorthin.';
const schema =
  'Vergleichen Sie die Stelle mit dem Schema der Version 1.0, und schreiben Sie sie so, wie das Schema es verlangt.';
const source = 'Verwenden Sie die Datei nicht. Verlangen Sie dort, wo sie herkommt, eine neue.';
const mendXml = 'Berichtigen Sie das Dokument in einem Text- oder XML-Editor an der genannten Stelle.';
const asIntended =
  'Prüfen Sie, ob es so gelesen wurde, wie es gemeint war, oder schreiben Sie es, wie Version 1.0 es verlangt.';
const addFile = 'Fügen Sie die fehlende Datei dem Paket hinzu, oder entfernen Sie, was auf sie verweist.';

/** In German. */
export const germanProblems: Problems = {
  'no-omanual': [
    'Das ist keine oManual-Datei',
    'Wählen Sie ein Paket (.omanual oder .zip), das guide.xml oder category.xml enthält, oder ein solches Dokument.',
  ],
  'no-guide': ['Eine Anleitung fehlt', addFile],
  missing: ['Eine Datei fehlt', addFile],
  'no-guides': [
    'Das Archiv hat keine Anleitungen',
    'Exportieren Sie das Archiv noch einmal mit mindestens einer Anleitung.',
  ],
  'name-outside': ['Ein Name führt aus dem Paket hinaus', source],
  'name-absolute': ['Ein Name beginnt an der Wurzel eines Laufwerks', repack],
  'name-backslash': [
    'Ein Name hat einen umgekehrten Schrägstrich',
    `Zwischen Ordnern steht ein Schrägstrich. ${repack}`,
  ],
  'name-control': ['Ein Name hat unsichtbare Steuerzeichen', source],
  'name-too-long': ['Ein Name ist zu lang', `Namen haben höchstens 255 Byte. ${rename}`],
  'name-empty': ['Eine Datei hat keinen Namen', repack],
  'name-twice': ['Zwei Dateien haben denselben Namen', `Programme sähen nur eine davon. ${repack}`],
  'name-encoding': ['Ein Name ist kein gültiges UTF-8', repack],
  'name-case': [
    'Zwei Namen unterscheiden sich nur in Groß- und Kleinschreibung',
    `Windows und macOS können nur eine der Dateien entpacken. ${rename}`,
  ],
  'name-windows': ['Windows kann keine Datei dieses Namens haben', rename],
  'name-bidi': [
    'Ein Name soll wie ein anderer aussehen',
    'Er hat Zeichen, die die Schreibrichtung umkehren. Entfernen Sie diese aus dem Namen.',
  ],
  link: [
    'Das Paket enthält eine Verknüpfung oder ein Gerät',
    `In einem Paket dürfen nur gewöhnliche Dateien sein. ${repack}`,
  ],
  'too-many-members': ['Das Paket hat zu viele Dateien', 'Teilen Sie das Archiv auf, etwa nach Kategorien.'],
  bomb: ['Das Paket wäre entpackt riesig', source],
  'too-large': ['Ein Dokument oder Text ist zu groß', 'Teilen Sie die Anleitung in mehrere.'],
  'too-deep': ['Elemente sind zu tief verschachtelt', mendXml],
  overlap: ['Dateien überschneiden sich im Paket', source],
  'zip-disagree': ['Das Paket widerspricht sich', `Verzeichnis und Dateien sagen Verschiedenes. ${repack}`],
  crc: [
    'Eine Datei ist beschädigt',
    'Kopieren oder laden Sie das Paket noch einmal. Hilft das nicht, exportieren Sie es noch einmal.',
  ],
  'zip-damaged': [
    'Das Paket ist beschädigt',
    'Kopieren oder laden Sie es noch einmal. Hilft das nicht, exportieren Sie es noch einmal.',
  ],
  'zip-parts': ['Das Paket ist nur einer von mehreren Teilen', 'Packen Sie alles in eine Datei.'],
  'zip-method': [
    'Eine Datei ist so gepackt, dass wenige Programme sie lesen',
    'Packen Sie mit den Verfahren „deflate“ oder „store“.',
  ],
  encrypted: ['Das Paket ist verschlüsselt', 'Packen Sie es ohne Passwort.'],
  doctype: [
    'Ein Dokument hat einen DOCTYPE',
    'Entfernen Sie den DOCTYPE. Er kann Programme dazu bringen, andere Dateien zu laden.',
  ],
  entity: [
    'Ein Dokument verwendet eine Entität, die XML nicht hat',
    'Schreiben Sie das Zeichen selbst, etwa „ “ statt „&nbsp;“.',
  ],
  xml: ['Ein Dokument ist kein wohlgeformtes XML', mendXml],
  'xml-encoding': [
    'Die Kodierung eines Dokuments ist falsch',
    'Speichern Sie das Dokument als UTF-8, und geben Sie UTF-8 an oder nichts.',
  ],
  'media-type': [
    'Eine Datei ist nicht, was ihr Name oder ihr Element sagt',
    'Ersetzen Sie die Datei, oder nennen Sie die Art, die sie hat.',
  ],
  namespace: [
    'Ein Element ist im falschen Namensraum',
    'Das oberste Element hat den Namensraum (xmlns) http://omanual.com/, und darunter ist kein anderer.',
  ],
  element: ['Ein Element ist hier nicht erlaubt', schema],
  'element-missing': ['Ein nötiges Element fehlt', schema],
  'element-twice': ['Ein Element ist doppelt vorhanden', 'Entfernen Sie eines davon.'],
  attribute: ['Ein Attribut ist hier nicht erlaubt', schema],
  'attribute-missing': ['Ein nötiges Attribut fehlt', schema],
  text: ['Text ist hier nicht erlaubt', 'Setzen Sie den Text in ein Element, oder entfernen Sie ihn.'],
  value: ['Ein Wert ist von der falschen Art', schema],
  'path-missing': ['Ein Pfad führt zu einer Datei, die nicht im Paket ist', addFile],
  'path-outside': [
    'Ein Pfad führt aus dem Paket hinaus',
    'Legen Sie die Datei in das Paket, und schreiben Sie den Pfad relativ zum Dokument.',
  ],
  'path-from-root': [
    'Ein Pfad beginnt mit einem Schrägstrich',
    'Schreiben Sie ihn relativ zum Dokument. Manche Programme können ihm sonst nicht folgen.',
  ],
  bullet: [
    'Eine Zeile hat ein unbekanntes Zeichen',
    'Verwenden Sie black, red, orange, yellow, green, blue, violet, icon_note, icon_caution oder icon_reminder.',
  ],
  difficulty: [
    'Der Schwierigkeitsgrad ist keiner des Standards',
    'Verwenden Sie Very easy, Easy, Moderate, Difficult oder Very difficult.',
  ],
  level: ['Die Einrückung einer Zeile ist keine des Standards', 'Verwenden Sie die Stufen 0 bis 3.'],
  'step-number': [
    'Schritte sind nicht 1, 2, 3 … nummeriert',
    'Nummerieren Sie sie in ihrer Reihenfolge, von 1 an.',
  ],
  'line-long': ['Eine Zeile ist sehr lang', 'Teilen Sie sie in Zeilen von höchstens 500 Zeichen.'],
  'summary-long': ['Die Zusammenfassung ist lang', 'Kürzen Sie sie auf 255 Zeichen.'],
  'date-zone': ['Ein Datum hat keine Zeitzone', 'Schreiben Sie es mit einer, etwa 2024-01-02T03:04:05Z.'],
  'date-order': ['Die Anleitung wurde geändert, bevor sie entstand', 'Berichtigen Sie eines der Daten.'],
  'embed-type': [
    'Eine eingebettete Seite hat eine unbekannte Art',
    'Verwenden Sie photo, video, link oder rich.',
  ],
  'embed-version': ['Eine eingebettete Seite hat eine unbekannte Version', 'Schreiben Sie als Version 1.0.'],
  'script-link': [
    'Ein Verweis führt ein Skript aus oder enthält Daten',
    'Entfernen Sie den Verweis. Programme, die ihn öffnen, könnten angegriffen werden.',
  ],
  'escaped-markup': [
    'Auszeichnungen stehen als Text da',
    'Schreiben Sie <strong>, nicht &lt;strong&gt;. Sonst zeigen Programme die Auszeichnungen selbst.',
  ],
  locale: ['Die Sprache ist kein Sprachkürzel', 'Schreiben Sie ein Kürzel wie en, de oder pt-br.'],
  'guide-twice': [
    'Eine Anleitung ist zweimal aufgeführt',
    'Entfernen Sie einen der Einträge aus dem Verzeichnis.',
  ],
  'guide-id-twice': [
    'Zwei Anleitungen haben dieselbe Kennung',
    'Geben Sie im Verzeichnis jeder Anleitung eine eigene Kennung.',
  ],
  'guide-unlisted': [
    'Eine Anleitung steht in keinem Verzeichnis',
    'Nehmen Sie sie in category.xml auf. Manche Programme zeigen nur, was dort steht.',
  ],
  'guide-missing': ['Eine aufgeführte Anleitung ist nicht im Paket', addFile],
  'picture-box': [
    'Ein Bild ist größer, als seine Größe erlaubt',
    'Verkleinern Sie es, oder geben Sie es als größere Größe an.',
  ],
  'round-trip': [
    'Zusätzliche Daten des Herstellers wurden nicht verwendet',
    'Die Dokumente wurden nach dem Export geändert. War das Absicht, ist nichts zu tun.',
  ],
  version: [
    'Die Datei ist von einer älteren Version',
    'Wandeln Sie sie in Version 1.0 um: benchbook omanual convert.',
  ],
  address: [
    'Eine Adresse ist gefährlich oder führt nirgends hin',
    'Schreiben Sie eine Adresse, die mit http oder https beginnt.',
  ],
  'link-dropped': ['Ein Verweis führt nirgends hin', 'Berichtigen oder entfernen Sie den Verweis.'],
  'unsafe-markup': [
    'Auszeichnungen, die Skripte ausführen können, wurden weggelassen',
    'Entfernen Sie sie aus dem Text.',
  ],
  embed: ['Eine eingebettete Seite hat keine Adresse', 'Geben Sie ihre Adresse an, oder entfernen Sie sie.'],
  'embed-html': [
    'Eine eingebettete Seite wird nur verlinkt',
    'Nichts zu tun: Nur Rahmen bekannter Player bleiben erhalten.',
  ],
  'file-missing': ['Eine Datei ist nicht im Paket', addFile],
  prerequisite: [
    'Eine vorausgesetzte Anleitung ist nicht im Paket',
    'Fügen Sie diese Anleitung hinzu, oder entfernen Sie den Verweis.',
  ],
  path: ['Ein Pfad musste erraten werden', asIntended],
  'file-type': ['Ein Bild hat eine andere Art, als sein Name sagt', 'Benennen Sie die Datei nach ihrer Art.'],
  'picture-size': [
    'Die Größe eines Bildes ist unbekannt',
    'Speichern Sie das Bild noch einmal als PNG oder JPEG.',
  ],
  'picture-kind': [
    'Ein Bild ist von einer Art, die nicht gelesen wird',
    'Speichern Sie das Bild als PNG oder JPEG.',
  ],
  type: ['Die Art einer Anleitung fehlt oder ist unbekannt', asIntended],
  language: ['Die Sprache fehlt', 'Nennen Sie am obersten Element die Sprache (locale), etwa de.'],
  date: ['Ein Datum fehlt oder ist unklar', asIntended],
  time: ['Eine Dauer ist nicht lesbar', asIntended],
  quantity: ['Eine Menge ist nicht lesbar', asIntended],
  category: ['Eine Anleitung hat mehrere Kategorien', asIntended],
  'step-order': ['Schritte wurden nach ihren Nummern sortiert', asIntended],
  'steps-missing': ['Eine Anleitung hat keine Schritte', 'Ergänzen Sie ihre Schritte.'],
  'category-supplies': [
    'Werkzeuge oder Teile einer Kategorie wurden weggelassen',
    'Nennen Sie sie in den Anleitungen.',
  ],
  'external-source': [
    'Eine Bezugsquelle wurde weggelassen',
    'Nennen Sie sie in den Notizen des Werkzeugs oder Teils.',
  ],
  flag: ['Ein Kennzeichen ist unbekannt', asIntended],
  supply: ['Ein Werkzeug oder Teil wurde weggelassen', asIntended],
  sku: ['Eine Artikelnummer wurde weggelassen', 'Nennen Sie sie in den Notizen des Werkzeugs oder Teils.'],
  media: ['Medien wurden weggelassen', 'Ein Schritt zeigt ein Video oder bis zu drei Bilder.'],
  'media-empty': ['Medien sind leer', 'Nennen Sie eine Datei, oder entfernen Sie das Element.'],
  video: ['Ein Video hat weder Datei noch Adresse', addFile],
  'introduction-media': ['Medien der Einleitung wurden verschoben', asIntended],
  'picture-in-text': ['Ein Bild in einem Text wurde weggelassen', addFile],
  'document-unknown': [
    'Ein Dokument gehört zu keiner Anleitung',
    'Entfernen Sie es, oder legen Sie es in einen Ordner „media“.',
  ],
  'top-folder': ['Alles liegt in einem Ordner', 'Packen Sie den Inhalt des Ordners, ohne den Ordner.'],
  more: ['Es gibt noch mehr zu berichten', 'Beheben Sie diese Probleme, und prüfen Sie noch einmal.'],
  placeholder: ['Ein Platzhalter des Herstellers wurde weggelassen', 'Ersetzen Sie ihn durch einen Wert.'],
};
