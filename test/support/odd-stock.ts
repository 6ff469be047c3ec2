import type { StepForm } from '#shared/model/step-form.ts';
import type { Stock } from '#test/support/odd-values.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

/** People and records for odd requests. */
export interface OddStock extends Stock {
  author: TestPerson;
  admin: TestPerson;
  other: TestPerson;
}

/** Creates people and records for one endpoint, so that destroying them affects no other. */
export async function makeStock(server: TestServer, number: number): Promise<OddStock> {
  const author = await server.person(`Author${number}`);
  const admin = await server.person(`Admin${number}`, ['User', 'Author', 'Moderator', 'Admin']);
  const other = await server.person(`Other${number}`, ['User']);
  const guide = await makeGuide(author);
  const hidden = await makeGuide(author, false);
  const form: StepForm = await makeForm(author, guide);
  const release = `/guides/${guide.guideid}/releases?revisionid=${guide.revisionid}`;
  const made = await idsOf(admin, [
    ['entryid', '/work_log', { guideid: guide.guideid, workorderid: 'WO' }],
    ['releaseid', release, {}],
    ['teamid', '/teams', { name: `Team ${number}`, owner: author.userid }],
    ['storyid', '/stories', { title: 'Belt', body: 'It held.' }],
    ['postid', '/posts', { title: 'Belt', text: 'It held.' }],
    ['webhookid', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['guide.published'], enabled: false }],
    ['appid', '/site/app_ids', { name: 'App' }],
    ['external_training_moduleid', '/external_training_modules/imports', { title: 'Lockout' }],
    ['courseid', '/courses', { title: 'Lockout' }],
  ]);
  const modules = '/external_training_modules/imports';
  const moduleid = made['external_training_moduleid'] ?? 0;
  const learning = await idsOf(admin, [
    ['importid', modules, { external_training_moduleid: moduleid }],
    ['course_assignmentid', `/courses/${made['courseid']}/assignments`, { userid: other.userid }],
  ]);
  const ofAuthor = await idsOf(author, [
    ['entryid', '/work_log', { guideid: guide.guideid, workorderid: 'WO' }],
    ['commentid', `/comments/guide/${guide.guideid}`, { text: 'Hm' }],
  ]);
  const stepids = [stepAt(guide, 0), stepAt(guide, 1), stepAt(hidden, 0)];
  const guideids = [guide.guideid, hidden.guideid];
  return {
    author,
    admin,
    other,
    tokens: [author.token, author.token, admin.token, other.token],
    revisionids: [
      guide.revisionid,
      hidden.revisionid,
      ...guide.steps.map((step) => step.revisionid),
      form.form_revisionid,
    ],
    ids: {
      ...Object.fromEntries(Object.entries({ ...made, ...learning }).map(([name, id]) => [name, [id]])),
      id: [moduleid],
      docid: [moduleid, guide.guideid],
      guideid: guideids,
      guideids: [guideids.join(',')],
      prerequisites: guideids,
      stepid: stepids,
      stepids,
      userid: [author.userid, admin.userid, other.userid],
      author: [author.userid, other.userid],
      entryid: [made['entryid'] ?? 0, ofAuthor['entryid'] ?? 0],
      commentid: [ofAuthor['commentid'] ?? 0],
      context: ['guide', 'step', 'wiki', 'story', 'post', 'nothing'],
      contextid: [...guideids, stepAt(guide, 0), made['storyid'] ?? 0],
      form_revisionid: [form.form_revisionid],
      field_revisionid: form.fields.map((field) => field.field_revisionid),
      field_guid: form.fields.map((field) => field.field_guid),
      namespace: ['CATEGORY', 'ITEM', 'INFO', 'WIKI', 'USER', 'TEAM', 'NOTHING'],
      title: ['Bench Grinder', 'Workshop', String(author.userid)],
      categoryname: ['Bench Grinder'],
      category: ['Bench Grinder'],
      email: [`author${number}@example.com`],
      search: [`Author${number}`, String(author.userid)],
      query: ['belt', 'grinder'],
      password: ['a long password', 'wrong'],
      tag: ['belt'],
      flags: ['GUIDE_IN_PROGRESS'],
      langid: ['en', 'de'],
      imageids: ['1,2,x'],
    },
  };
}

async function idsOf(
  person: TestPerson,
  calls: [name: string, path: string, body: object][],
): Promise<Record<string, number | string>> {
  const found: Record<string, number | string> = {};
  for (const [name, path, body] of calls) {
    const answer = await person.call('POST', path, body);
    const id = (answer.body as Record<string, number | string>)[name];
    if (id === undefined) throw new Error(`POST ${path} answers no ${name}: ${JSON.stringify(answer.body)}`);
    found[name] = id;
  }
  return found;
}
