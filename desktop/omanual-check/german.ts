import { germanRefusal } from '#desktop/renderer/text/de/refused-words.ts';

import { germanProblems } from './german-problems.ts';
import type { Words } from './words.ts';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The German words of the page. */
export const german: Words = {
  locale: 'de',
  title: 'Ein oManual-Archiv prüfen',
  lead: 'Diese Seite prüft Archive und Dokumente von Anleitungen (oManual, IEEE 1874): .omanual, .zip und .xml. Die Datei bleibt auf diesem Gerät. Sie wird nicht hochgeladen.',
  drop: 'Legen Sie eine Datei hier ab, oder',
  choose: 'Datei auswählen',
  limits: 'Eine Prüfung endet von selbst nach einer halben Minute, bei großen Dateien später.',
  checking: (name) => `${name} wird geprüft …`,
  stop: 'Abbrechen',
  verdicts: {
    valid: 'Keine Probleme gefunden',
    advice: 'Gültig, mit Hinweisen',
    invalid: 'Nicht gültig',
    unfinished: 'Nicht geprüft',
  },
  explained: {
    valid: 'Die Datei folgt dem Standard und seinen Empfehlungen.',
    advice:
      'Die Datei ist verwendbar. Das Folgende widerspricht den Empfehlungen des Standards oder musste gedeutet werden.',
    invalid:
      'Die Datei verletzt den Standard, oder sie ist beschädigt oder gefährlich. Programme verlieren etwas davon oder lehnen sie ab.',
  },
  contents: (version, guides, categories) =>
    [
      `Version ${version}: ${count(guides, 'Anleitung', 'Anleitungen')}`,
      ...(categories === 0 ? [] : [count(categories, 'Kategorie', 'Kategorien')]),
    ].join(', '),
  more: (shown) =>
    `Nur die ersten ${shown} Probleme sind aufgeführt. Beheben Sie diese, und prüfen Sie noch einmal.`,
  error: 'Fehler',
  advice: 'Hinweis',
  toDo: 'Was zu tun ist',
  places: (number) => count(number, 'Stelle', 'Stellen'),
  package: 'Die Datei als Ganzes',
  late: 'Die Prüfung dauerte zu lange und wurde abgebrochen. Die Datei ist sehr groß, oder sie soll Programme beschäftigen. Die Befehlszeile hat keine Zeitgrenze.',
  stopped: 'Sie haben die Prüfung abgebrochen.',
  failed: (reason) => `Die Prüfung selbst ist gescheitert (${reason}).`,
  unreadable:
    'Die Datei ist nicht lesbar. Vielleicht wurde sie verschoben oder geändert, oder sie ist ein Ordner. Wählen Sie sie noch einmal aus.',
  one: (name) => `Nur eine Datei auf einmal: Geprüft wurde nur ${name}.`,
  commandLine: 'Dieselbe Prüfung auf der Befehlszeile, für beliebig viele Dateien:',
  problems: germanProblems,
  sentence: (text) => germanRefusal(text),
};
