import { count } from '../plural.ts';

export const commentsText = {
  title: 'Comments',
  titleWith: (number: number) => count(number, 'comment', 'comments'),
  onStep: 'Comments on this step',
  onGuide: 'Comments on this guide',
  add: 'Add a comment',
  write: 'Your comment',
  post: 'Post comment',
  reply: 'Reply',
  replyTo: (name: string) => `Reply to ${name}`,
  postReply: 'Post reply',
  edit: 'Edit',
  remove: 'Delete',
  removeTitle: 'Delete this comment?',
  removeBody: 'It disappears for everybody.',
  edited: 'edited',
  you: 'You',
};
