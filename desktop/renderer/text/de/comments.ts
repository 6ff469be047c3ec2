import type { Translation } from '#shared/text/message.ts';

import type { commentsText } from '../en/comments.ts';

export const comments: Translation<typeof commentsText> = {
  title: 'Kommentare',
  titleWith: '{number, plural, one {# Kommentar} other {# Kommentare}}',
  on: {
    step: 'Kommentare zu diesem Schritt',
    guide: 'Kommentare zu dieser Anleitung',
    wiki: 'Kommentare zu dieser Seite',
  },
  add: 'Kommentieren',
  write: 'Ihr Kommentar',
  post: 'Kommentar senden',
  reply: 'Antworten',
  replyTo: '{name} antworten',
  postReply: 'Antwort senden',
  edit: 'Bearbeiten',
  remove: 'Löschen',
  removeTitle: 'Diesen Kommentar löschen?',
  removeBody:
    '{replies, plural, =0 {Der Kommentar wird für alle gelöscht.} other {Der Kommentar und die Antworten darauf werden für alle gelöscht.}}',
  edited: 'bearbeitet',
  you: 'Sie',
};
