import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const commentsText = inLanguage('comments', {
  title: 'Comments',
  titleWith: message<[number: number]>('{number, plural, one {# comment} other {# comments}}', 'number'),
  on: {
    step: 'Comments on this step',
    guide: 'Comments on this guide',
    wiki: 'Comments on this page',
  },
  add: 'Add a comment',
  write: 'Your comment',
  post: 'Post comment',
  reply: 'Reply',
  replyTo: message<[name: string]>('Reply to {name}', 'name'),
  postReply: 'Post reply',
  edit: 'Edit',
  remove: 'Delete',
  removeTitle: 'Delete this comment?',
  removeBody: message<[replies: number]>(
    '{replies, plural, =0 {This deletes it for everyone.} other {This deletes it and its replies for everyone.}}',
    'replies',
  ),
  edited: 'edited',
  you: 'You',
});
