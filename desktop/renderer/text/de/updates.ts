import type { Translation } from '#shared/text/message.ts';

import type { updatesText } from '../en/updates.ts';

const publisherOnly = 'Es wurde nichts installiert. Informieren Sie Ihren Administrator.';

export const updates: Translation<typeof updatesText> = {
  section: 'App-Updates',
  installed: 'Version {version}',
  off: 'Dieses Paket installiert keine Updates. Neue Versionen bekommen Sie von Ihrem Administrator.',
  notChecked: 'Noch nicht nach Updates gesucht.',
  current: 'Keine neuere Version gefunden. Zuletzt gesucht: {time}',
  check: 'Nach Updates suchen',
  fromFolder: 'Aus Ordner aktualisieren …',
  chooseFolder: 'Ordner mit dem Update wählen',
  looking: 'Suche nach Updates …',
  downloading: 'Version {version} wird heruntergeladen',
  ready: 'Version {version} ist bereit',
  readyHint: 'Die App wird geschlossen und startet neu. Ihre Arbeit bleibt auf diesem Gerät.',
  restart: 'Neustart und Update',
  holds: {
    order: 'Ein Auftrag läuft. Das Update wartet, bis er abgeschlossen oder pausiert ist.',
    unsaved:
      'Auf diesem Gerät konnte nicht alles gespeichert werden. Schaffen Sie Speicherplatz und aktualisieren Sie dann.',
    away: 'Sie haben diese Ansicht verlassen, darum wurde die App nicht neu gestartet. Versuchen Sie es erneut, wenn Sie so weit sind.',
    silence: 'Die App war beschäftigt und wurde nicht neu gestartet. Versuchen Sie es erneut.',
  },
  installing: 'Version {version} wird installiert …',
  installingHint: 'Die App startet gleich wieder.',
  administrator: 'Bitten Sie Ihren Administrator, diese Datei zu installieren:',
  checksum: 'SHA-256: {sha256}',
  available: 'Version {version} ist verfügbar',
  download: 'Diese App kann die Version nicht selbst installieren. Laden Sie sie hier herunter:',
  askForIt: 'Diese App kann die Version nicht selbst installieren. Fragen Sie Ihren Administrator danach.',
  failures: {
    malformed: { title: 'Das Update ist nicht lesbar', hint: publisherOnly },
    signature: { title: 'Das Update stammt nicht vom Herausgeber dieser App', hint: publisherOnly },
    'other-app': { title: 'Das Update ist für eine andere App', hint: publisherOnly },
    expired: {
      title: 'Die Update-Informationen sind veraltet',
      hint: 'Vielleicht gibt es eine neuere Version. Wenn die Uhr dieses Computers richtig geht, fragen Sie Ihren Administrator nach einem Update.',
    },
    withdrawn: {
      title: 'Das Update ist älter als eines, das schon angeboten wurde',
      hint: publisherOnly,
    },
    broken: {
      title: 'Das Update ist auf diesem Computer nicht gestartet',
      hint: 'Die App ist zur vorherigen Version zurückgekehrt. Wenn der Start unterbrochen wurde, suchen Sie erneut nach Updates, um es noch einmal zu installieren. Sonst informieren Sie Ihren Administrator.',
    },
    'too-far': {
      title: 'Diese Version ist zu alt für das Update',
      hint: 'Fragen Sie Ihren Administrator nach der Version dazwischen.',
    },
    unreachable: {
      title: 'Das Update konnte nicht vom Server geladen werden',
      hint: 'Prüfen Sie die Verbindung und versuchen Sie es erneut. Das Herunterladen geht weiter, wo es aufgehört hat.',
    },
    package: {
      title: 'Die heruntergeladene Datei ist nicht die, die der Herausgeber signiert hat',
      hint: 'Es wurde nichts installiert. Versuchen Sie es erneut. Wenn es wieder passiert, informieren Sie Ihren Administrator.',
    },
    'no-package': {
      title: 'Das Update ist für diesen Computer nicht verfügbar',
      hint: 'Fragen Sie Ihren Administrator nach einem passenden Paket.',
    },
    'no-folder': {
      title: 'In diesem Ordner ist kein Update',
      hint: 'Wählen Sie den Ordner, der die Datei update.json enthält.',
    },
    'no-space': {
      title: 'Die Festplatte ist voll',
      hint: 'Schaffen Sie etwa 1 GB Platz und versuchen Sie es erneut.',
    },
    disk: {
      title: 'Das Update konnte nicht gespeichert oder installiert werden',
      hint: 'Es wurde nichts geändert. Versuchen Sie es erneut. Wenn es wieder passiert, informieren Sie Ihren Administrator.',
    },
  },
  lookFailed: 'Die letzte Suche ist fehlgeschlagen: {title}.',
  left: 'Das war Version {version}.',
};
