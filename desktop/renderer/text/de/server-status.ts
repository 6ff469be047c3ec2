import type { Translation } from '#shared/text/message.ts';

import type { statusText } from '../en/server-status.ts';

export const serverStatus: Translation<typeof statusText> = {
  title: 'Serverstatus',
  lead: 'Was dieser Server über sich meldet: Prüfungen, Sicherungen, Geräte.',
  failed: 'Der Status des Servers konnte nicht gelesen werden',
  refresh: 'Aktualisieren',
  allWell: 'Keine Prüfung hat ein Problem gefunden',
  problems:
    '{number, plural, one {# Prüfung braucht Ihre Aufmerksamkeit} other {# Prüfungen brauchen Ihre Aufmerksamkeit}}',
  checks: 'Prüfungen',
  levels: { ok: 'OK', warning: 'Warnung', error: 'Fehler' },
  doctor:
    'Führen Sie auf dem Server „benchbook doctor“ aus, um alles zu prüfen, auch das, was länger dauert.',
  backups: 'Sicherungen',
  notScheduled:
    'Automatische Sicherungen sind ausgeschaltet. Starten Sie den Server mit --backup ORDNER und geben Sie einen Ordner auf einem anderen Datenträger an.',
  noBackup: 'Es gibt noch keine Sicherung.',
  lastBackup: 'Letzte Sicherung: {time}, {size}',
  backupFailed: 'Eine Sicherung ist fehlgeschlagen: {time}',
  noProof:
    'Noch keine Sicherung hat einen Wiederherstellungstest bestanden. Einmal pro Woche läuft ein Test.',
  proved: 'Letzter bestandener Wiederherstellungstest: {time}',
  proofFailed: 'Der letzte Wiederherstellungstest ist fehlgeschlagen: {time}',
  devices: 'Geräte',
  devicesHint: 'Geräte, die sich seit dem Start des Servers gemeldet haben.',
  connected: '{number} gerade verbunden',
  current: '{number} nicht verbunden, auf dem neuesten Stand',
  behind: '{number} nicht verbunden, im Rückstand',
  nothingWaits: 'Kein Gerät hat ungesendete Änderungen gemeldet.',
  waits:
    '{number, plural, one {# Gerät hat} other {# Geräte haben}} ungesendete Änderungen; die älteste ist {age} alt.',
  jobs: 'Hintergrundaufgaben',
  noJobs: 'Es wartet nichts.',
  job: '{kind}: {number} {state}',
  jobStates: { waiting: 'wartend', running: 'laufend' },
  server: 'Server',
  version: 'Benchbook {program}',
  since: 'Läuft seit {time}',
  sizes: 'Datenbank {database}, {free} frei auf ihrem Datenträger, {memory} Arbeitsspeicher belegt',
};
