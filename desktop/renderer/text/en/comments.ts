import { count } from '../plural.ts';

export const commentsText = {
  title: 'Comments',
  titleWith: (number: number) => count(number, 'comment', 'comments'),
  on: {
    step: 'Comments on this step',
    guide: 'Comments on this guide',
    wiki: 'Comments on this page',
  },
  add: 'Add a comment',
  write: 'Your comment',
  post: 'Post comment',
  reply: 'Reply',
  replyTo: (name: string) => `Reply to ${name}`,
  postReply: 'Post reply',
  edit: 'Edit',
  remove: 'Delete',
  removeTitle: 'Delete this comment?',
  removeBody: (replies: number) =>
    replies === 0 ? 'This deletes it for everyone.' : 'This deletes it and its replies for everyone.',
  edited: 'edited',
  you: 'You',
};
