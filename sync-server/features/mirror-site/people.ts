import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { searchName } from '#shared/rules/search-name.ts';
import type { Context } from '#server/core/context.ts';
import { storeImage } from '#server/features/guides/import/files.ts';
import { idsNamedIn, linkTargets } from '#server/features/guides/import/facts-here.ts';
import { ImportedIds } from '#server/features/guides/import/ids.ts';
import { imageRefOf, isServerAvatar, type ImportedImage } from '#server/features/guides/import/images.ts';
import type { ImportedPerson } from '#server/features/guides/import/guide-from-answer.ts';
import { importPerson } from '#server/features/guides/import/people.ts';
import { relinked } from '#server/features/guides/import/wiki-links.ts';
import { publishPerson } from '#server/features/users/store.ts';

import { profileAnswer, type ProfileAnswer } from './answers.ts';
import { allMirrored, findMirrored, fingerprint, outcomeOf, rememberMirrored } from './mirrored.ts';
import { forEach, listed, write, type Run } from './run.ts';
import { NotHad } from './source.ts';

/**
 * Copies people as far as they are visible, with their profiles.
 *
 * - MIRRORSITE-4 People become accounts without password, mail address and privileges. An account that is here already under
 *   the same unique username and name is taken as the same person and never changed, and
 *   comes into no team by that. Accounts are never deleted.
 */
export async function mirrorPeople(run: Run): Promise<void> {
  const people = await listed(run, '/users', profileAnswer, {
    collection: 'people',
    key: ({ userid }) => userid,
  });
  let readsProfiles = true;
  await forEach(
    run,
    'people',
    people,
    ({ userid, username }) => `${username} (${userid})`,
    async (person) => {
      if (run.dryRun) return compare(run, person);
      const profile = readsProfiles ? await profileOf(run, person) : null;
      if (profile === null && readsProfiles) {
        readsProfiles = false;
        run.report.lack('people', 'profiles', 'The site does not show them; names and pictures are copied');
      }
      await mirrorPerson(run, profile ?? person);
    },
  );
  const present = new Set(people.map(({ userid }) => String(userid)));
  for (const { source, seen } of await allMirrored(run.services.storage.reader, run.site, 'user'))
    if (!present.has(source) && seen !== unlisted)
      run.report.note('people', `user ${source}`, 'The list of people there does not have them; they stay');
}

/** What was seen of authors who are not in the list. */
const unlisted = 'unlisted';

/** Copies the author of a guide or comment, if they are not known from the list of people. */
export async function mirrorAuthor(run: Run, answer: unknown): Promise<void> {
  const author = profileAnswer.parse(answer);
  const { reader } = run.services.storage;
  if ((await new ImportedIds({ db: reader }, run.site).find('user', author.userid)) !== undefined) return;
  const copying = run.authors.get(author.userid) ?? mirrorPerson(run, author, unlisted);
  run.authors.set(author.userid, copying);
  await copying;
}

async function compare(run: Run, person: ProfileAnswer): Promise<void> {
  const known = await findMirrored(run.services.storage.reader, run.site, 'user', person.userid);
  run.report.count('people', known === undefined ? 'copied' : 'unchanged');
}

/** The profile; null if the site shows no profiles to this viewer. */
async function profileOf(run: Run, { userid }: ProfileAnswer): Promise<ProfileAnswer | null> {
  try {
    return await run.source.read(`/users/${userid}`, profileAnswer);
  } catch (error) {
    if (error instanceof NotHad && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

/** Copies one person, if they are new or have changed. */
async function mirrorPerson(
  run: Run,
  profile: ProfileAnswer,
  seen = fingerprint(withoutAddresses(profile)),
): Promise<void> {
  const { site, report } = run;
  const known = await findMirrored(run.services.storage.reader, site, 'user', profile.userid);
  if (known !== undefined && (known.seen === seen || known.ours === '')) {
    report.count('people', 'unchanged');
    return;
  }
  const { picture, named, isComplete } = await picturesOf(run, profile);
  const outcome = await write(run, async (ctx, ids) => {
    const { image: _image, ...person } = profile;
    const account = {
      ...person,
      image: picture?.ref ?? (profile.image === null ? null : imageRefOf(profile.image)),
      enabled: profile.enabled ?? true,
    };
    const { userid, isNew } = await importPerson(ctx, ids, account, run.ids, picture?.file);
    const remember = async (ours: string): Promise<void> =>
      rememberMirrored(ctx.db, site, 'user', {
        source: profile.userid,
        id: userid,
        seen: isComplete ? seen : '',
        ours,
      });
    if (known === undefined && !isNew) {
      await remember('');
      return 'unchanged';
    }
    if (known !== undefined && (await profileHere(ctx, userid)) !== known.ours) return 'kept';
    await storeProfile(ctx, ids, run, userid, profile, { picture, named });
    const ours = await profileHere(ctx, userid);
    await remember(ours);
    return outcomeOf(known, ours);
  });
  if (outcome === 'kept')
    report.keep('people', `${profile.username} (${profile.userid})`, 'The profile was changed here');
  else report.count('people', outcome);
}

/**
 * Copies the authors of a record with it. New accounts are remembered as copies, to which profiles of a later list of
 * people come; accounts that are here without that were here before.
 */
export async function copyAuthors(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  authors: readonly ImportedPerson[],
): Promise<void> {
  for (const author of authors) {
    const { userid, isNew } = await importPerson(ctx, ids, author, run.ids);
    if (!isNew) continue;
    const ours = await profileHere(ctx, userid);
    const copy = { source: author.userid, id: userid, seen: unlisted, ours };
    await rememberMirrored(ctx.db, run.site, 'user', copy);
  }
}

async function picturesOf(
  run: Run,
  profile: ProfileAnswer,
): Promise<{ picture: ImportedImage | undefined; named: ImportedImage[]; isComplete: boolean }> {
  const ref = profile.image === null ? null : imageRefOf(profile.image);
  const named = await run.media.named(idsNamedIn([profile.about_raw]).image, profile.username);
  if (ref === null || isServerAvatar(ref)) return { picture: undefined, named, isComplete: true };
  const drawing = { placeholder: { guid: ref.guid, guideTitle: profile.username } };
  const { images, isComplete } = await run.media.pictures([{ ref, drawing }], profile, profile.username);
  return { picture: images[0], named, isComplete };
}

async function storeProfile(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  userid: number,
  profile: ProfileAnswer,
  { picture, named }: { picture: ImportedImage | undefined; named: ImportedImage[] },
): Promise<void> {
  for (const image of named) await storeImage(ctx, ids, image, userid, run.ids);
  const targets = await linkTargets(ids, [profile.about_raw], {
    origin: run.source.base,
    choice: run.ids,
  });
  const image: ImageRef | null =
    picture === undefined
      ? profile.image === null
        ? null
        : imageRefOf(profile.image)
      : await storeImage(ctx, ids, picture, userid, run.ids);
  const { username, summary, location, latitude, longitude } = profile;
  await ctx.db
    .updateTable('users')
    .set({
      username,
      username_search: searchName(username),
      image: image === null ? null : JSON.stringify(image),
      summary,
      about_raw: relinked(profile.about_raw, targets),
      location,
      latitude,
      longitude,
    })
    .where('userid', '=', userid)
    .execute();
  await publishPerson(ctx, userid);
}

/** What a profile is like here. */
async function profileHere(ctx: Context, userid: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('users')
    .select(['username', 'image', 'summary', 'about_raw', 'location', 'latitude', 'longitude'])
    .where('userid', '=', userid)
    .executeTakeFirst();
  return fingerprint(must(row, 'the account'));
}

/** A profile without what changes by itself: addresses, which may be signed, and reputation. */
function withoutAddresses(profile: ProfileAnswer): unknown {
  const { image, reputation: _reputation, ...rest } = profile;
  return { ...rest, image: image?.guid ?? null };
}
