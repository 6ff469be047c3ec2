import { expect } from 'vitest';

import type { CourseAssignment, Course } from '#shared/model/course.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { importQuiz, lockQuestion } from '#test/support/quizzes.ts';
import type { TestPerson } from '#test/support/server.ts';

import { admin, join, lead, leave, newTeam, somebody } from './world.ts';

type Call = [person: TestPerson, method: string, path: string, body?: unknown];

async function ok(...[person, method, path, body]: Call): Promise<unknown> {
  const answer = await person.call(method, path, body);
  expect([method, path, answer.status < 300, answer.status < 300 ? '' : answer.body]).toEqual([
    method,
    path,
    true,
    '',
  ]);
  return answer.body;
}

/** A person in a team with everything that a team can get, and the two changes that remove the access. */
interface Scene {
  reader: TestPerson;
  /** The records that the reader has at first and loses, by collection. */
  loses: string[];
  moves: [() => Promise<unknown>, () => Promise<unknown>];
}

/** A guide with dependent records: a form, a comment, tags, quizzes, and a suspended work order. */
async function guideWithAll(shared: { public: boolean } | { teamid: number }): Promise<Guide> {
  const guide = await lead.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      public: 'public' in shared,
      steps: [{ lines: [{ text: 'Open' }] }],
    },
  });
  const { guideid, steps } = guide;
  const fields = [{ label: 'Torque', field_type: 'Text Input' }];
  await ok(lead, 'POST', `/step_forms/${must(steps[0], 'a step').stepid}`, { fields });
  await ok(lead, 'POST', `/comments/guide/${guideid}`, { text: 'Which bit?' });
  await ok(lead, 'PUT', `/guides/${guideid}/tag`, { tag: 'oil' });
  const quiz = await importQuiz(lead, [lockQuestion], { title: 'Lockout', passing_score: 50 });
  await ok(lead, 'POST', '/quizzes/associations', { guideid, quizids: [quiz.quizid] });
  const entry = await ok(lead, 'POST', '/work_log', { guideid, workorderid: 'WO-88' });
  await ok(lead, 'POST', `/work_log/${(entry as WorkLogEntry).entryid}/suspend`, {});
  if ('teamid' in shared) await ok(lead, 'PUT', `/guides/${guideid}/teams/${shared.teamid}`);
  return guide;
}

const ofGuide = ['comments', 'guides', 'stepForms', 'training', 'viewer', 'workLog'];

/** Ways in which a person loses access, by what happens. */
export const scenes: Record<string, () => Promise<Scene>> = {
  'a guide is no longer shared with a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid } = await guideWithAll({ teamid });
    return {
      reader,
      loses: ofGuide,
      moves: [() => ok(lead, 'DELETE', `/guides/${guideid}/teams/${teamid}`), () => leave(reader, teamid)],
    };
  },
  'a guide is deleted that was shared with a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid, revisionid } = await guideWithAll({ teamid });
    return {
      reader,
      loses: ofGuide,
      moves: [
        () => ok(lead, 'DELETE', `/guides/${guideid}?revisionid=${revisionid}`),
        () => leave(reader, teamid),
      ],
    };
  },
  'a public guide becomes one of a team only, and somebody leaves the team': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid, revisionid } = await guideWithAll({ public: true });
    await ok(lead, 'PUT', `/guides/${guideid}/teams/${teamid}`);
    return {
      reader,
      loses: ofGuide,
      moves: [
        () => ok(lead, 'DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`),
        () => leave(reader, teamid),
      ],
    };
  },
  'a private guide is deleted, and a reader of everything is no longer an administrator': async () => {
    const reader = await somebody();
    await setPrivileges(reader, ['Admin']);
    const { guideid, revisionid } = await guideWithAll({ teamid: await newTeam() });
    return {
      reader,
      loses: ofGuide,
      moves: [
        () => ok(lead, 'DELETE', `/guides/${guideid}?revisionid=${revisionid}`),
        () => setPrivileges(reader, ['User']),
      ],
    };
  },
  'a course is no longer assigned to a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid } = await guideWithAll({ public: true });
    const stages = [{ doctype: 'guide', docid: guideid }];
    const { courseid } = (await ok(lead, 'POST', '/courses', { title: 'Safety', stages })) as Course;
    const assigned = await ok(lead, 'POST', `/courses/${courseid}/assignments`, { teamid });
    const { course_assignmentid } = assigned as CourseAssignment;
    return {
      reader,
      loses: ['training'],
      moves: [
        () => ok(lead, 'DELETE', `/courses/${courseid}/assignments/${course_assignmentid}`),
        () => leave(reader, teamid),
      ],
    };
  },
  'a quiz is deleted, and a learner becomes a kiosk': async () => {
    const reader = await somebody();
    const { quizid } = await importQuiz(lead, [lockQuestion], { title: 'Lockout', passing_score: 50 });
    return {
      reader,
      loses: ['training'],
      moves: [
        () => ok(lead, 'POST', '/quizzes/delete', { quizids: [quizid] }),
        () => setPrivileges(reader, ['User', 'Kiosk']),
      ],
    };
  },
  'a prerequisite is no longer shared with a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid } = await guideWithAll({ teamid });
    await lead.client.guides.create({
      body: {
        category: 'Bench Grinder',
        type: 'repair',
        title: 'Frame',
        public: true,
        prerequisites: [guideid],
      },
    });
    return {
      reader,
      loses: ofGuide,
      moves: [() => ok(lead, 'DELETE', `/guides/${guideid}/teams/${teamid}`), () => leave(reader, teamid)],
    };
  },
};

async function setPrivileges({ userid }: TestPerson, privileges: string[]): Promise<void> {
  await ok(admin, 'PATCH', `/users/${userid}`, { privileges, current_password: 'a long password' });
}
