import { issueWords } from '#shared/api/issue-words.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import { waitingProfileEdit } from '#shared/api/users.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';

import type { PageActions } from '../api/pages.ts';
import type { NewCall } from '../platform/ports.ts';
import { personId, profileFieldsOf, teamId, type ProfileContext } from '../outbox/kinds/people.ts';
import type { ProfileEdit } from '../api/page-records.ts';
import { type ActionContext, impossible, laneOf } from '../features/action-context.ts';

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

async function profileCall(context: ActionContext, typed: ProfileEdit): Promise<NewCall | null> {
  const userid = context.userid();
  const id = personId(userid);
  const record = await context.sources.core.mirror.get('people', id);
  if (record?.facts.kind !== 'user') throw notFound('User', 'Profile');
  const edit = asStored(typed);
  const body = bodyOf(edit);
  if (Object.keys(body).length === 0) return null;
  return {
    kind: 'profile-save',
    lane: laneOf(context, 'person', 'people', id),
    method: 'PATCH',
    path: `/users/${userid}`,
    body,
    target: { collection: 'people', id },
    subject: edit.name ?? record.facts.username,
    context: { ...edit, base: profileFieldsOf(record.facts) } satisfies ProfileContext,
  };
}

/**
 * The edit as the server stores it, such as without spaces around a name. Other fields may not wait: the edit is
 * journalled. Throws `Problem` for an edit that the server would refuse, so that the person learns it now.
 */
function asStored({ name, uniqueName, summary, about, location, image }: ProfileEdit): ProfileEdit {
  const fields = { username: name, unique_username: uniqueName, summary, about, location };
  // A picture that waits for upload has the number 0.
  const number = image == null || image.id === 0 ? undefined : image.id;
  const parsed = waitingProfileEdit.safeParse({ ...fields, image: number }, { error: issueWords });
  if (!parsed.success) {
    const issue = must(parsed.error.issues[0], 'an issue');
    throw invalid(String(issue.path[0] ?? ''), issue.message);
  }
  const { username, unique_username, ...others } = parsed.data;
  return given({ ...others, name: username, uniqueName: unique_username, image });
}

/** The body of the call. An empty text removes an optional field. */
function bodyOf({ name, uniqueName, summary, about, location, image }: ProfileEdit): Record<string, unknown> {
  return given({
    username: name,
    unique_username: uniqueName,
    summary: summary === '' ? null : summary,
    about,
    location: location === '' ? null : location,
    image: image == null ? image : numberOf(image),
  });
}

/** The fields that have a value. */
function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The number of a picture, or its temporary id while it waits for upload. */
function numberOf({ id, guid }: ImageRef): number | string {
  return id === 0 ? guid : id;
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
