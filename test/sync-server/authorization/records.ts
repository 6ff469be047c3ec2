import type { Course } from '#shared/model/course.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { makeKind } from '#server/features/omanual/make/make.ts';
import { enqueueJob } from '#server/jobs/store.ts';
import { contextForJob } from '#server/core/job.ts';
import { addDocument, addVideo } from '#server/features/media/files.ts';
import { addImage } from '#server/features/media/store.ts';
import { scorm12, zipOf } from '#test/support/training-packages.ts';
import { makeForm, stepAt } from '#test/support/workshop.ts';
import { written } from '#test/support/written.ts';

import type { World } from './world.ts';
import type { Actor, Ids, Role } from './roles.ts';

/** A person's session of a quiz. */
export async function sessionOf(world: World, actor: Actor): Promise<Ids> {
  const answers = { quizid: world.quiz, response_json: {} };
  const { sessionid } = await world.as<{ sessionid: number }>(
    actor,
    'POST',
    '/quizzes/sessions/submit',
    answers,
  );
  return { sessionid };
}

/** A guide of a person waiting for the approver's signature. */
export async function askApproval(world: World, author: Actor, teamid?: number): Promise<Ids> {
  const { userid } = world.person(author);
  const body = { category: 'Press', type: 'repair', title: 'Ram', author: userid, public: true };
  const { guideid, approval } = await world.admin<Guide>('POST', '/guides', body);
  if (teamid !== undefined) await world.admin('PUT', `/guides/${guideid}/teams/${teamid}`);
  const [request] = must(approval, 'the approval').requests;
  return { approval_requestid: must(request, 'the request').approval_requestid };
}

/** Signs an approval request with the test password. */
export async function signAs(world: World, actor: Actor, approval_requestid: number): Promise<void> {
  const body = { decision: 'approve', password: 'a long password' };
  await world.as(actor, 'POST', `/approvals/request/sign/${approval_requestid}`, body);
}

/** A quiz, and a course stage about it assigned only to the helper. */
export async function addQuiz(world: World): Promise<Ids> {
  const questions = [{ vendor_question_uid: 'lock', title: 'Whose lock?' }];
  const { quizid } = await world.admin<{ quizid: number }>('POST', '/quizzes', {
    title: 'Lockout',
    questions,
  });
  const stages = [{ doctype: 'quiz', docid: quizid }];
  const course = await world.admin<Course>('POST', '/courses', { title: 'Quizzes', stages });
  return { quizid, course_stageid: must(course.stages[0], 'a stage').course_stageid };
}

/** An archive made for a person, and an import created by them. */
export async function archivesOf(world: World, actor: Actor): Promise<Ids> {
  const { userid } = world.person(actor);
  const { importid } = await written(world.server.services, (tx) =>
    tx
      .insertInto('archive_imports')
      .values({
        userid,
        existing: 'skip',
        author: 'importer',
        visibility: 'archived',
        dry_run: 0,
        filename: 'belt.omanual',
        size: 10,
        received: 0,
        created_date: 0,
      })
      .returning('importid')
      .executeTakeFirstOrThrow(),
  );
  return { archiveid: await addArchive(world, actor), archiveImport: importid };
}

/** A module with a current version. */
export async function addModule(world: World): Promise<{ id: number; importid: number }> {
  const modules = '/external_training_modules';
  const created = await world.admin<{ importid: number; external_training_moduleid: number }>(
    'POST',
    `${modules}/imports`,
    { title: 'Lockout' },
  );
  const { importid, external_training_moduleid: id } = created;
  const started = await world.server.app.inject({
    method: 'POST',
    url: `/api/2.0${modules}/imports/${importid}/start/byUpload`,
    headers: { authorization: `api ${world.person('administrator').token}` },
    payload: Buffer.from(zipOf(scorm12())),
  });
  if (started.statusCode !== 202) throw new Error(started.body);
  await world.server.jobs.idle();
  await world.admin('PUT', `${modules}/${id}/current`, { importid });
  return { id, importid };
}

/** A picture, a document and a video of a person, without bytes. */
export async function addFiles(world: World, actor: Actor): Promise<Ids> {
  const { services } = world.server;
  const file = { filename: 'belt.pdf', size: 1, sha256: '0'.repeat(64) };
  const unmeasured = { duration: 0, width: 0, height: 0 };
  return contextForJob(services, world.person(actor).userid, async (ctx) => ({
    image: await addImage(ctx, { ...file, sha256: null, width: 4, height: 3, format: 'jpeg' }),
    documentid: await addDocument(ctx, file),
    videoid: await addVideo(ctx, { ...file, ...unmeasured, mime: 'video/mp4' }),
  }));
}

/** A form, a release and a comment on a guide. */
export async function addGuideRecords(world: World, author: Actor, guide: Guide): Promise<Ids> {
  const { guideid, revisionid, guide_revisionid } = guide;
  const form: StepForm = await makeForm(world.person('administrator'), guide);
  const path = `/guides/${guideid}/releases?revisionid=${revisionid}`;
  const { releaseid } = await world.admin<{ releaseid: number }>('POST', path, {});
  const stepid = stepAt(guide, 0);
  return {
    guideid,
    guide_revisionid,
    stepid,
    form_revisionid: form.form_revisionid,
    field_revisionid: must(form.fields[0], 'a field').field_revisionid,
    releaseid,
    context: 'guide',
    contextid: guideid,
    commentid: await world.comment(author, guideid),
    feedbackid: await world.feedback(author, stepid),
  };
}

/** A story and a post. */
export async function makePosts(world: World): Promise<Ids> {
  const title = 'Belt';
  const story = { title, body: 'It held.' };
  const { storyid } = await world.as<{ storyid: number }>('writer', 'POST', '/stories', story);
  const news = { title, text: 'It held.' };
  const { postid } = await world.as<{ postid: number }>('writer', 'POST', '/posts', news);
  return { storyid, postid };
}

/** An archive made for a person. */
export async function addArchive(world: World, actor: Actor): Promise<number> {
  const { userid } = world.person(actor);
  const archiveid = await contextForJob(world.server.services, null, (ctx) =>
    enqueueJob(ctx, {
      kind: makeKind,
      userid,
      input: {
        wanted: { guideids: [world.publicGuide] },
        media: 'links',
        base: 'http://127.0.0.1',
        title: 'Belt',
        filename: 'belt.omanual',
      },
    }),
  );
  await world.server.jobs.idle();
  return archiveid;
}

/** A team, with a summary of its work. */
export async function teamIds(world: World, teamid: number): Promise<Ids> {
  const body = { teamid, from: 1_767_000_000, to: 1_767_020_000 };
  const made = await world.admin<{ shift_summaryid: number }>('POST', '/shift_summaries', body);
  return { teamid, shift_summaryid: made.shift_summaryid };
}

/** A new term of the translation glossary. */
export async function addTerm(world: World): Promise<number> {
  const term = `Term ${world.next()}`;
  const change = { term, source_langid: 'en', translations: [] };
  const body = { entries: [change] };
  const entries = await world.admin<{ entryid: number; term: string }[]>(
    'PUT',
    '/translation_glossary/entries',
    body,
  );
  return must(
    entries.find((entry) => entry.term === term),
    term,
  ).entryid;
}

/** Starts an entry, reports a deviation in it, and plans another order for the person. */
export async function addOrder(
  world: World,
  actor: Actor,
  guideid: number,
): Promise<{ entryid: number; deviationid: number; planned_orderid: number }> {
  const entryid = await world.startEntry(actor, guideid);
  const body = { entryid, title: 'A dent' };
  const { deviationid } = await world.as<{ deviationid: number }>(actor, 'POST', '/deviations', body);
  const { userid } = world.person(actor);
  const plan = { guideid, workorderid: 'WO', userid };
  const { planned_orderid } = await world.admin<{ planned_orderid: number }>('POST', '/work_orders', plan);
  return { entryid, deviationid, planned_orderid };
}

const proof = { current_password: 'a long password' };

/** A station of a team. */
async function addStation(world: World, teamid: number): Promise<Ids> {
  const body = { name: `Station ${world.next()}`, teams: [teamid], ...proof };
  const { stationid } = await world.admin<{ stationid: number }>('POST', '/stations', body);
  return { stationid };
}

/** A badge of a person. */
async function addBadge(world: World, actor: Actor): Promise<Ids> {
  const badges = [{ userid: world.person(actor).userid, number: `badge ${world.next()}` }];
  const issued = await world.admin<Ids[]>('POST', '/station_badges', { badges, ...proof });
  return { station_badgeid: must(issued[0]?.['station_badgeid'], 'the badge') };
}

/**
 * A station of the team, one of another team, and badges, by ownership. A kiosk has no badge, so it tries that of another
 * person.
 */
export async function addStations(
  world: World,
  team: number,
  roles: readonly Role[],
): Promise<[string, Ids][]> {
  const others = { ...(await addStation(world, world.otherTeam)), ...(await addBadge(world, 'writer')) };
  const made: [string, Ids][] = [
    ['team', await addStation(world, team)],
    ['public', others],
  ];
  for (const role of roles)
    made.push([`own:${role}`, role === 'kiosk' ? others : await addBadge(world, role)]);
  return made;
}
