import { issueWords } from '#shared/api/issue-words.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import { waitingProfileEdit } from '#shared/api/users.ts';
import type { ImageRef } from '#shared/model/image.ts';

import type { PageActions } from '../api/pages.ts';
import type { NewCall } from '../platform/ports.ts';
import { personId, profileFieldsOf, teamId, type ProfileContext } from '../outbox/kinds/people.ts';
import type { ProfileEdit } from '../api/page-records.ts';
import { type ActionContext, impossible, laneOf } from '../features/calls.ts';

type PeopleActions = Pick<PageActions, 'saveProfile' | 'joinTeam' | 'leaveTeam'>;

/** Actions of a person on their own profile and teams. */
export function peopleActions(context: ActionContext): PeopleActions {
  const { outbox } = context.sources.core;
  return {
    async saveProfile(edit) {
      const call = await profileCall(context, edit);
      if (call !== null) await outbox.add([call]);
    },
    async joinTeam(teamid, joinCode) {
      const join_code = joinCode.trim();
      if (join_code === '') throw impossible('Type the join code of the team');
      await outbox.add([{ ...(await membership(context, teamid)), method: 'PUT', body: { join_code } }]);
    },
    async leaveTeam(teamid) {
      await outbox.add([{ ...(await membership(context, teamid)), method: 'DELETE' }]);
    },
  };
}

async function profileCall(context: ActionContext, edit: ProfileEdit): Promise<NewCall | null> {
  const userid = context.userid();
  const id = personId(userid);
  const record = await context.sources.core.mirror.get('people', id);
  if (record?.facts.kind !== 'user') throw notFound('User', 'Profile');
  const body = bodyOf(edit);
  if (Object.keys(body).length === 0) return null;
  mustFit(body);
  return {
    kind: 'profile-save',
    lane: laneOf(context, 'person', 'people', id),
    method: 'PATCH',
    path: `/users/${userid}`,
    body,
    target: { collection: 'people', id },
    subject: edit.name ?? record.facts.username,
    context: { ...keptOf(edit), base: profileFieldsOf(record.facts) } satisfies ProfileContext,
  };
}

/** Only these fields are stored in the context of the call, which is journalled. */
function keptOf({ name, uniqueName, summary, about, location, image }: ProfileEdit): ProfileEdit {
  const fields = { name, uniqueName, summary, about, location, image };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The body of the call. An empty text removes an optional field. */
function bodyOf(edit: ProfileEdit): Record<string, unknown> {
  const fields = {
    username: edit.name?.trim(),
    unique_username: edit.uniqueName,
    summary: orNull(edit.summary),
    about: edit.about,
    location: orNull(edit.location),
    image: edit.image === undefined || edit.image === null ? edit.image : numberOf(edit.image),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function orNull(words: string | undefined): string | null | undefined {
  return words === undefined ? undefined : words.trim() === '' ? null : words.trim();
}

/** The number of a picture, or its temporary id while it waits for upload. */
function numberOf({ id, guid }: ImageRef): number | string {
  return id === 0 ? guid : id;
}

/**
 * Throws `Problem` for a body that the server would refuse, so that the person learns it now. Other fields may not
 * wait.
 */
function mustFit(body: Record<string, unknown>): void {
  const isWaiting = typeof body['image'] === 'string';
  const parsed = waitingProfileEdit.safeParse(isWaiting ? { ...body, image: undefined } : body, {
    error: issueWords,
  });
  const issue = parsed.error?.issues[0];
  if (issue !== undefined) throw invalid(String(issue.path[0] ?? ''), issue.message);
}

async function membership(
  context: ActionContext,
  teamid: number,
): Promise<Pick<NewCall, 'kind' | 'lane' | 'path' | 'target' | 'subject'>> {
  const id = teamId(teamid);
  const record = await context.sources.core.mirror.get('people', id);
  if (record?.facts.kind !== 'team') throw notFound('Team');
  return {
    kind: 'membership',
    lane: laneOf(context, 'person', 'people', id),
    path: `/teams/${teamid}/users/${context.userid()}`,
    target: { collection: 'people', id },
    subject: record.facts.name,
  };
}
