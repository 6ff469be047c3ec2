import type { Translation } from '#shared/text/message.ts';

import type { mainTexts } from './en.ts';

export const german: Translation<typeof mainTexts> = {
  refusals: {
    sandbox: {
      title: 'Benchbook startet nicht ohne Sandbox',
      hint: 'Die Sandbox hält fern von diesem Computer, was die App anzeigt. Starten Sie Benchbook ohne diesen Schalter oder diese Variable. Ein AppImage setzt ihn von selbst, wo Programme keine Benutzer-Namensräume anlegen dürfen: Installieren Sie dort das Debian-Paket.',
    },
    tooManyFiles: {
      title: 'Benchbook kann nicht so viele Dateien auf einmal öffnen',
      hint: 'Es wurde nichts geöffnet. Öffnen Sie weniger Dateien auf einmal, etwa hundert.',
    },
    dataFolder: {
      title: 'Benchbook kann nicht in seinen Datenordner schreiben',
      hint: 'Es wurde nichts geändert. Geben Sie Ihrem Konto das Recht, in diesen Ordner zu schreiben, und starten Sie Benchbook erneut.',
    },
    running: {
      title: 'Benchbook läuft bereits',
      hint: 'Verwenden Sie das offene Fenster oder schließen Sie es und starten Sie Benchbook erneut.',
    },
  },
  arguments: '{number, plural, one {# Argument} other {# Argumente}}',

  crash: {
    stopped: 'Das Fenster von Benchbook wurde unerwartet beendet',
    stoppedHint: 'Ihre Arbeit bleibt erhalten.',
    hangs: 'Benchbook reagiert nicht',
    hangsHint:
      'Warten Sie oder laden Sie das Fenster neu. Alles, was als gespeichert angezeigt wird, bleibt erhalten.',
    reload: 'Neu laden',
    close: 'Schließen',
    wait: 'Warten',
  },

  error: {
    title: 'Benchbook wurde wegen eines unerwarteten Fehlers beendet',
    hint: 'Alles, was als gespeichert angezeigt wurde, bleibt erhalten. Starten Sie Benchbook erneut. Wenn es wieder beendet wird, senden Sie dies an Ihren Administrator:',
  },

  closing: {
    unsaved: 'Nicht alles konnte gespeichert werden',
    unsavedHint:
      'Die Festplatte ist voll oder kann nicht beschrieben werden. Lassen Sie Benchbook offen, schaffen Sie Platz und schließen Sie es dann erneut. Wenn Sie es jetzt schließen, geht verloren, was als nicht gespeichert angezeigt wird.',
    keepOpen: 'Offen lassen',
    closeAnyway: 'Trotzdem schließen',
  },

  download: {
    title: 'Von {host} herunterladen?',
    hint: 'Diese Adresse liegt in einem privaten Netz: {addresses}. Fahren Sie nur fort, wenn Sie diesen Server kennen.',
    cancel: 'Abbrechen',
    download: 'Herunterladen',
  },

  signedIn: {
    title: 'Kehren Sie zu Benchbook zurück',
    text: 'Die App meldet Sie an. Diese Seite können Sie schließen.',
  },

  menu: {
    file: 'Datei',
    edit: 'Bearbeiten',
    view: 'Darstellung',
    window: 'Fenster',
    about: 'Über Benchbook',
    services: 'Dienste',
    hide: 'Benchbook ausblenden',
    hideOthers: 'Andere ausblenden',
    unhide: 'Alle einblenden',
    quit: 'Beenden',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    pasteAndMatchStyle: 'Einsetzen und Stil anpassen',
    delete: 'Löschen',
    selectAll: 'Alles auswählen',
    reload: 'Neu laden',
    forceReload: 'Vollständig neu laden',
    toggleDevTools: 'Entwicklerwerkzeuge',
    resetZoom: 'Originalgröße',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    togglefullscreen: 'Vollbild',
    minimize: 'Minimieren',
    zoom: 'Zoomen',
    front: 'Alle nach vorne bringen',
    close: 'Fenster schließen',
  },
};
