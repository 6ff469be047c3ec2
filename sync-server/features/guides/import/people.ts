import type { Context } from '#server/core/context.ts';
import { createAccount, publishPerson } from '#server/features/users/store.ts';

import { storeImage } from './files.ts';
import type { ImportedPerson } from './guide-from-answer.ts';
import type { IdChoice, ImportedIds } from './ids.ts';
import { isServerAvatar, type ImportedPicture } from './images.ts';

/**
 * Creates accounts for people of another site: without password and mail address, so that an administrator must enable
 * sign-in, and with the privilege `User` only. An account with the same unique username and name is taken as the same
 * person. Returns the number of created accounts.
 */
export async function importPeople(
  ctx: Context,
  ids: ImportedIds,
  people: ImportedPerson[],
  choice: IdChoice,
): Promise<number> {
  let made = 0;
  for (const person of people) {
    const { isNew } = await importPerson(ctx, ids, person, choice);
    if (isNew) made += 1;
  }
  return made;
}

/** The account of a person of another site, which is created if needed. `picture`: the bytes of their picture. */
export async function importPerson(
  ctx: Context,
  ids: ImportedIds,
  person: ImportedPerson,
  choice: IdChoice,
  picture?: ImportedPicture,
): Promise<{ userid: number; isNew: boolean }> {
  const known = (await ids.find('user', person.userid)) ?? (await findNamesake(ctx, person));
  const userid = known ?? (await addPerson(ctx, ids, person, choice, picture));
  await ids.remember('user', person.userid, userid);
  return { userid, isNew: known === undefined };
}

async function findNamesake(ctx: Context, person: ImportedPerson): Promise<number | undefined> {
  if (person.unique_username === null) return undefined;
  const row = await ctx.db
    .selectFrom('users')
    .select('userid')
    .where('unique_username', '=', person.unique_username)
    .where('username', '=', person.username)
    .executeTakeFirst();
  return row?.userid;
}

async function addPerson(
  ctx: Context,
  ids: ImportedIds,
  person: ImportedPerson,
  choice: IdChoice,
  file: ImportedPicture | undefined,
): Promise<number> {
  const unique = person.unique_username;
  const isNameFree = unique !== null && !(await exists(ctx, 'unique_username', unique));
  const keepsId = choice === 'keep' && !(await exists(ctx, 'userid', person.userid));
  const picture = person.image;
  const isFile = picture !== null && !isServerAvatar(picture);
  const userid = await createAccount(ctx, {
    ...(keepsId ? { userid: person.userid } : {}),
    username: person.username,
    unique_username: isNameFree ? unique : undefined,
    email: null,
    passwordHash: null,
    privileges: ['User'],
    joinDate: person.join_date,
    reputation: person.reputation,
    image: isFile ? null : picture,
    enabled: person.enabled,
  });
  if (isFile) {
    const drawing = { placeholder: { guid: picture.guid, guideTitle: person.username } };
    const image = await storeImage(ctx, ids, { ref: picture, drawing, file }, userid, choice);
    await ctx.db
      .updateTable('users')
      .set({ image: JSON.stringify(image) })
      .where('userid', '=', userid)
      .execute();
    await publishPerson(ctx, userid);
  }
  return userid;
}

async function exists(
  ctx: Context,
  column: 'userid' | 'unique_username',
  value: number | string,
): Promise<boolean> {
  const row = await ctx.db.selectFrom('users').select('userid').where(column, '=', value).executeTakeFirst();
  return row !== undefined;
}
