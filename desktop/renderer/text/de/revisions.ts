import type { Translation } from '#shared/text/message.ts';

import type { recordText, revisionText } from '../en/revisions.ts';

export const revision: Translation<typeof revisionText> = {
  title: 'Revision',
  name: 'Revision {number} vom {date}',
  withState: '{name} · {state}',
  states: { approved: 'genehmigt', unapproved: 'nicht genehmigt' },
  withoutNumber: 'Revision ohne Nummer',
  notNumbered: 'Revision noch ohne Nummer',
  changed: '{name}, mit Änderungen noch ohne Nummer',
  decisions: {
    start: 'Gestartet nach',
    switch: 'Gewechselt zu',
    keep: 'Nicht gewechselt zu',
  },
  unknown: 'Nicht erfasst',
  changedTitle: 'Die Anleitung hat sich geändert: {name}',
  ofRelease: '{words} · Freigabe {title}',
  planned: 'Sie arbeiten wie geplant nach der Freigabe {release}: {name}',
  plannedHint: 'Die Anleitung hat sich seitdem geändert. Dieser Auftrag bleibt bei seiner Freigabe.',
  plannedMissing:
    'Der Text der Freigabe ist nicht auf diesem Gerät, daher sehen Sie die aktuelle Anleitung. Verbinden Sie sich mit dem Server, um ihn zu bekommen.',
  still: 'Sie arbeiten weiter nach {name}. Sehen Sie nach, was sich geändert hat, und entscheiden Sie dann.',
  missing:
    'Sie haben nach {name} begonnen. Der Text dieser Revision ist nicht auf diesem Gerät, daher sehen Sie die geänderte Anleitung. Entscheiden Sie, wie Sie weitermachen.',
  kept: 'Sie arbeiten nach {name}',
  newer: 'Die Anleitung hat eine neuere: {name}.',
  look: 'Änderungen anzeigen',
  noDifference:
    'Der frühere Text ist nicht auf diesem Gerät, daher lassen sich die Änderungen nicht anzeigen.',
  valuesStay:
    'Was Sie erfasst haben, bleibt in jedem Fall. Felder, die mit der neueren Revision geändert wurden oder dazukamen, werden nach dem Wechsel abgefragt.',
  keep: '{number, select, null {Meine Revision behalten} other {Revision {number} behalten}}',
  change: '{number, select, null {Dazu wechseln} other {Zu Revision {number} wechseln}}',
  decided: {
    keep: 'Sie behalten Ihre Revision',
    switch: 'Sie arbeiten jetzt nach der neueren Revision',
  },
};

export const record: Translation<typeof recordText> = {
  title: 'Protokoll',
  states: {
    waiting: 'Noch kein Hash',
    unsealed: 'Ohne Hash',
    matches: 'Dieses Protokoll stimmt überein',
    differs: 'Dieses Protokoll weicht ab',
  },
  hints: {
    waiting: 'Der Server speichert den SHA-256 des Protokolls, sobald er das Ende des Auftrags hat.',
    unsealed: 'Dieser Auftrag endete, bevor Hashes von Protokollen gespeichert wurden.',
    matches: 'Es ist das, was der Server am Ende des Auftrags gespeichert hat (SHA-256):',
    differs:
      'Es ist nicht das, was der Server am Ende des Auftrags gespeichert hat. Bitten Sie einen Administrator, das Änderungsprotokoll zu prüfen. Gespeicherter SHA-256:',
  },
  signatures: 'Unterschriften',
  notSigned: 'Niemand hat dieses Protokoll unterschrieben.',
  meanings: { performed: 'Ausgeführt von', reviewed: 'Geprüft von', released: 'Freigegeben von' },
  signed: '{meaning} {name}',
  methods: {
    password: 'mit Passwort unterschrieben',
    token: 'mit Single Sign-on unterschrieben',
  },
  doesNotApply: 'Protokoll seitdem geändert',
  sign: 'Protokoll unterschreiben',
  signTitle: 'Protokoll von {number} unterschreiben',
  signLead:
    'Ihre Unterschrift gehört zum Protokoll, wie es jetzt ist. Sie lässt sich nicht ändern oder entfernen.',
  meaning: 'Ihre Unterschrift bedeutet',
  ownMeanings: {
    performed: 'Ich habe es ausgeführt',
    reviewed: 'Ich habe es geprüft',
    released: 'Ich gebe es frei',
  },
  comment: 'Kommentar',
  needMeaning: 'Wählen Sie, was Ihre Unterschrift bedeutet',
  confirmSign: 'Unterschreiben',
  done: 'Sie haben das Protokoll unterschrieben',
  changed:
    'Das Protokoll ist nicht mehr so, wie Sie es gesehen haben. Sehen Sie es noch einmal an, bevor Sie unterschreiben.',
  signOffline: 'Zum Unterschreiben brauchen Sie eine Verbindung',
  signOfflineHint:
    'Eine Unterschrift braucht Ihr Passwort, das nur der Server prüft. Unterschreiben Sie, wenn Sie wieder online sind.',
};
