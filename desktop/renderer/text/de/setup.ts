import type { Translation } from '#shared/text/message.ts';

import type { setupText } from '../en/setup.ts';

export const setup: Translation<typeof setupText> = {
  title: 'Diesen Server einrichten',
  lead: 'Auf diesem Server gibt es noch keine Plattform. Richten Sie eine ein, oder stellen Sie eine aus einer Sicherung wieder her.',
  code: 'Code',
  codeHint: 'Der Server hat ihn beim Start ausgegeben. Beispiel: abcd-efgh-jkmn',
  needCode: 'Geben Sie den Code ein, den der Server ausgegeben hat',
  what: 'Was möchten Sie tun?',
  newSite: 'Neue Plattform',
  restore: 'Sicherung wiederherstellen',
  siteName: 'Name der Plattform',
  needSiteName: 'Geben Sie einen Namen ein, zum Beispiel den Ihres Betriebs',
  yourName: 'Ihr Name',
  needYourName: 'Geben Sie Ihren Namen ein',
  make: 'Plattform einrichten',
  makeFailed: 'Die Plattform konnte nicht eingerichtet werden',
  folder: 'Ordner mit den Sicherungen',
  folderHint: 'Auf dem Server. Lassen Sie das Feld leer, um den Ordner der geplanten Sicherungen zu nutzen',
  key: 'Schlüsseldatei',
  keyHint: 'Auf dem Server, für verschlüsselte Sicherungen',
  show: 'Sicherungen zeigen',
  showFailed: 'Die Sicherungen konnten nicht gelesen werden',
  none: 'In {folder} gibt es keine Sicherungen.',
  choose: 'Sicherung',
  backup: '{site}, {time}, {size}',
  older:
    '{count, plural, one {Eine ältere Sicherung ist nicht aufgeführt. Um sie wiederherzustellen} other {# ältere Sicherungen sind nicht aufgeführt. Um eine davon wiederherzustellen}}, verwenden Sie „benchbook restore“ auf dem Server.',
  withoutKey: 'Diese Sicherungen enthalten den Schlüssel des Servers nicht',
  withoutKeyHint:
    'Sie sind nicht verschlüsselt. Nach der Wiederherstellung halten Geräte diesen Server für einen anderen. Wenn Sie die Datei server.key des alten Servers haben, verwenden Sie stattdessen „benchbook restore“ und legen Sie die Datei in den Datenordner, bevor Sie den Server starten.',
  begin: 'Sicherung wiederherstellen',
  beginFailed: 'Die Sicherung konnte nicht wiederhergestellt werden',
  lastFailed: 'Die Sicherung konnte nicht wiederhergestellt werden',
  running: 'Sicherung wird wiederhergestellt …',
  runningHint: 'Der Server startet dafür neu. Jedes Gigabyte dauert etwa eine Minute.',
  restored: 'Die Sicherung ist wiederhergestellt',
  restoredHint: 'Melden Sie sich mit einem Konto der wiederhergestellten Plattform an.',
  isSetUp: 'Dieser Server ist bereits eingerichtet',
  isSetUpHint: 'Melden Sie sich an oder bitten Sie einen Administrator um ein Konto.',
};
