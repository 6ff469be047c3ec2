import { comments } from '#shared/api/comments.ts';
import { type Endpoint, type OfflineLane, apiPrefix } from '#shared/api/endpoint.ts';
import { guides } from '#shared/api/guides.ts';
import { media } from '#shared/api/media.ts';
import { quizzes } from '#shared/api/quizzes.ts';
import { stepForms } from '#shared/api/step-forms.ts';
import { teams } from '#shared/api/teams.ts';
import { users, waitingProfileEdit } from '#shared/api/users.ts';
import { wikis } from '#shared/api/wikis.ts';
import { workLog } from '#shared/api/work-log.ts';

import type { CallKind, OutboxCall } from '#desktop/engine/platform/ports.ts';

/** The calls of the contract that may wait on a device, by the kind that the app gives them. */
const endpointsOf: Readonly<Record<CallKind, readonly (Endpoint & { offline: OfflineLane })[]>> = {
  'guide-create': [guides.create],
  'guide-save': [guides.patch],
  'guide-publish': [guides.publish, guides.unpublish],
  'guide-delete': [guides.remove],
  favorite: [users.favorite, users.unfavorite],
  completion: [guides.complete, guides.uncomplete],
  'wiki-create': [wikis.create],
  'wiki-save': [wikis.patch],
  'wiki-delete': [wikis.remove],
  'wiki-patrol': [wikis.patrol],
  'wiki-revert': [wikis.revert],
  'guide-tag': [guides.addTag, guides.removeTag],
  'wiki-tag': [wikis.addTag, wikis.removeTag],
  'profile-save': [users.patch],
  membership: [teams.addMember, teams.removeMember],
  'comment-add': [comments.create],
  'comment-edit': [comments.patch],
  'comment-remove': [comments.remove],
  'entry-create': [workLog.create],
  'entry-move': [
    workLog.pause,
    workLog.resume,
    workLog.suspend,
    workLog.assume,
    workLog.finish,
    workLog.cancel,
    workLog.step,
  ],
  'entry-data': [workLog.stepData],
  'form-save': [stepForms.save],
  'quiz-begin': [quizzes.attempt],
  'quiz-save': [quizzes.save],
  'quiz-submit': [quizzes.submit],
  'quiz-cancel': [quizzes.cancel],
  'upload-image': [media.addImage],
  'upload-document': [media.addDocument],
  'upload-video': [media.addVideo],
  // The file of an import stays on its device (WF7).
  'archive-import': [],
  unreadable: [],
};

/** Whether the app lets such a call wait: a file from outside may hold any other under the same name (WF8). */
export function mayWait(call: OutboxCall): boolean {
  const hasFile = call.fileId !== null;
  const isKnown = endpointsOf[call.kind].some(
    ({ method, path, consumes }) =>
      method === call.method && isAt(call.path, path) && (consumes === 'bytes') === hasFile,
  );
  return isKnown && (call.kind !== 'profile-save' || isProfile(call.body));
}

/** What a temporary id may have become: it takes its place in paths. */
export function isId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** Whether a path is one of a template like `/guides/{guideid}`, and stays so when an address is made of it. */
function isAt(path: string, template: string): boolean {
  const names = template.split('/');
  const parts = path.split('/');
  const isSame = (name: string, index: number): boolean =>
    name.startsWith('{') ? parts[index] !== '' : parts[index] === name;
  return (
    parts.length === names.length &&
    names.every(isSame) &&
    URL.parse(apiPrefix + path, 'http://localhost')?.pathname === apiPrefix + path
  );
}

/** What signs somebody in never waits. */
function isProfile(body: unknown): boolean {
  const fields = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  return fields.every((field) => Object.hasOwn(waitingProfileEdit.shape, field));
}
