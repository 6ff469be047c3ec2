import { readFile } from 'node:fs/promises';

import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { guideAudience } from './features/audiences.ts';
import type { Context } from './core/context.ts';
import type { Services } from './core/services.ts';
import { loadLicensing, loadOwnContent, loadRecordedContent, type OwnContent } from './demo-content/load.ts';
import { addComment } from './features/comments/store.ts';
import { mustSeeGuide } from './features/guides/policy.ts';
import { addDocument } from './features/media/files.ts';
import { addImage, findImageRef } from './features/media/store.ts';
import { awardAllBadges } from './features/merits/badges.ts';
import { storeForm } from './features/step-forms/store.ts';
import { publishTeam } from './features/teams/facts.ts';
import { createAccount, publishPerson, publishProfile } from './features/users/store.ts';
import { saveWiki, stubOf } from './features/wikis/store.ts';
import { changeSite } from './core/site.ts';

import { contextForJob } from './core/job.ts';
import { importGuides, type ImportReport } from './features/guides/import/import-guides.ts';
import { readablePassword } from './platform/random.ts';

type DemoUser = OwnContent['people']['users'][number];

const privilegesOf: Record<DemoUser['role'], string[]> = {
  admin: ['User', 'Author', 'Moderator', 'Admin'],
  technician: ['User', 'Author'],
  operator: ['User', 'Kiosk'],
};

/** Size of demo drawings, pixels. */
const pictureSize = { width: 1600, height: 1200 };

/** Whether the database has no people and no guides. */
export async function isEmpty(services: Services): Promise<boolean> {
  const { reader } = services.storage;
  const user = await reader.selectFrom('users').select('userid').limit(1).executeTakeFirst();
  const guide = await reader.selectFrom('guides').select('guideid').limit(1).executeTakeFirst();
  return user === undefined && guide === undefined;
}

/**
 * Fills an empty site with the demo content: people, teams, categories, the recorded guides and our own. Passwords are
 * random and are passed once to `credential`, each in a line of its own.
 */
export async function seedDemo(
  services: Services,
  options: { credential: (line: string) => void },
): Promise<ImportReport[]> {
  if (!(await isEmpty(services))) throw new Error('Only an empty database is filled with the demo content');
  const own = loadOwnContent();
  const recorded = loadRecordedContent();
  await changeSite(services, { name: 'Benchbook demo', title: 'Benchbook demo' });
  const theirs = await importGuides(services, recorded.guides, {
    ids: 'keep',
    categories: recorded.categories,
  });
  const passwords = await hashPasswords(services, own.people.users);
  await contextForJob(services, null, (ctx) => addPeople(ctx, own, passwords));
  const ana = useridOf(own, 'ana');
  await contextForJob(services, ana, (ctx) => addPictures(ctx, own));
  await addDocuments(services, own, ana);
  const ours = await importGuides(services, own.guides.toReversed(), {
    ids: 'keep',
    site: 'benchbook.example',
    categories: own.categories.hierarchy,
  });
  await contextForJob(services, ana, (ctx) => addForms(ctx, own));
  await addComments(services, own);
  const mira = useridOf(own, 'mira');
  await contextForJob(services, mira, (ctx) => addPages(ctx, own));
  await contextForJob(services, null, (ctx) => awardPeople(ctx, own));
  for (const user of own.people.users) {
    const password = must(passwords.get(user.key), `the password of ${user.key}`).password;
    options.credential(`${user.username} (${user.role}): ${user.email}  ${password}`);
  }
  return [theirs, ours];
}

function useridOf(own: OwnContent, key: string): number {
  return must(
    own.people.users.find((user) => user.key === key),
    `the demo user ${key}`,
  ).userid;
}

type PasswordOf = Map<string, { password: string; hash: string }>;

async function hashPasswords(services: Services, users: DemoUser[]): Promise<PasswordOf> {
  const made = await Promise.all(
    users.map(async (user) => {
      const password = readablePassword(services.randomBytes);
      return [user.key, { password, hash: await services.passwords.hash(password) }] as const;
    }),
  );
  return new Map(made);
}

async function addPeople(ctx: Context, own: OwnContent, passwords: PasswordOf): Promise<void> {
  const { users, teams } = own.people;
  for (const user of users) {
    await createAccount(ctx, {
      userid: user.userid,
      username: user.username,
      unique_username: user.unique_username,
      email: user.email,
      passwordHash: must(passwords.get(user.key), `the password of ${user.key}`).hash,
      privileges: privilegesOf[user.role],
      joinDate: user.join_date,
      reputation: user.reputation,
      location: user.location,
      about: user.about_raw,
    });
  }
  for (const team of teams) {
    await ctx.db
      .insertInto('teams')
      .values({
        teamid: team.teamid,
        name: team.name,
        description: team.description,
        owner: useridOf(own, team.owner),
        join_code: null,
        location: team.location,
        created_date: ctx.seconds,
      })
      .execute();
    for (const member of team.members) {
      await ctx.db
        .insertInto('team_members')
        .values({ teamid: team.teamid, userid: useridOf(own, member), joined_date: ctx.seconds })
        .execute();
    }
    await publishTeam(ctx, team.teamid);
  }
  for (const user of users) await publishPerson(ctx, user.userid);
}

/** Adds our own drawings to the media manager of the context's person. */
async function addPictures(ctx: Context, own: OwnContent): Promise<void> {
  const ids = new Map(
    own.guides
      .flatMap((guide) => [
        ...guide.steps.flatMap((step) => (step.media.type === 'image' ? step.media.data : [])),
        ...(guide.image === null ? [] : [guide.image]),
      ])
      .map((image) => [image.guid, image.id]),
  );
  for (const { guid, markup } of own.pictures) {
    await addImage(ctx, {
      imageid: must(ids.get(guid), `the id of picture ${guid}`),
      guid,
      filename: `${guid}.jpg`,
      ...pictureSize,
      size: 0,
      sha256: null,
      format: 'jpeg',
      markup,
      drawing: { picture: guid },
    });
  }
}

async function addDocuments(services: Services, own: OwnContent, userid: number): Promise<void> {
  for (const { documentid, guid, filename, title, file } of own.documents) {
    const { sha256, size } = await services.blobs.put(await readFile(file));
    await contextForJob(services, userid, (ctx) =>
      addDocument(ctx, { id: documentid, guid, filename, title, sha256, size }),
    );
  }
}

async function addForms(ctx: Context, own: OwnContent): Promise<void> {
  for (const form of own.stepForms) {
    const guide = must(
      own.guides.find((one) => one.steps.some((step) => step.stepid === form.stepid)),
      `the guide of step ${form.stepid}`,
    );
    const facts = await mustSeeGuide(ctx, guide.guideid);
    await storeForm(ctx, { ...form, guideid: guide.guideid }, guideAudience(facts));
  }
}

async function addComments(services: Services, own: OwnContent): Promise<void> {
  for (const { context, contextid, user, text_raw: text, date, replies } of own.comments) {
    const parentid = await contextForJob(services, useridOf(own, user), (ctx) =>
      addComment(ctx, { context, contextid, text, date }),
    );
    for (const reply of replies) {
      await contextForJob(services, useridOf(own, reply.user), (ctx) =>
        addComment(ctx, { context, contextid, text: reply.text_raw, date: reply.date, parentid }),
      );
    }
  }
}

/** Awards the badges that people of the demo have earned by their recorded activity. */
async function awardPeople(ctx: Context, own: OwnContent): Promise<void> {
  for (const { userid } of own.people.users) {
    await awardAllBadges(ctx, userid);
    await publishProfile(ctx, userid);
  }
}

/** Adds the pages of categories, and the page with the licences of the guides. */
async function addPages(ctx: Context, own: OwnContent): Promise<void> {
  const { langid } = ctx.services.site;
  const userid = ctx.viewer.userid;
  const parents = await parentsOf(ctx);
  for (const { title, display_title, description, contents_raw, image: guid } of own.categories.categories) {
    const image = guid === null ? null : await pictureOf(ctx, guid);
    const parent = parents.get(title) ?? null;
    const stub = stubOf({ namespace: 'CATEGORY', title, langid, parent, userid });
    await saveWiki(ctx, { ...stub, display_title, description, contents_raw, image });
  }
  const licensing = stubOf({ namespace: 'INFO', title: 'Licensing', langid, parent: null, userid });
  await saveWiki(ctx, {
    ...licensing,
    description: 'Who wrote the guides of this site and how they may be used.',
    contents_raw: loadLicensing(),
  });
}

async function parentsOf(ctx: Context): Promise<Map<string, string | null>> {
  const rows = await ctx.db
    .selectFrom('wikis')
    .select(['title', 'parent'])
    .where('namespace', '=', 'CATEGORY')
    .execute();
  return new Map(rows.map((row) => [row.title, row.parent]));
}

async function pictureOf(ctx: Context, guid: string): Promise<ImageRef> {
  const row = await ctx.db
    .selectFrom('images')
    .select('imageid')
    .where('guid', '=', guid)
    .executeTakeFirstOrThrow();
  return must(await findImageRef(ctx.db, row.imageid), `picture ${guid}`);
}
