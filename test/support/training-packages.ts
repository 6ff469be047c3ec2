import { strToU8, zipSync } from 'fflate';

/** Files of a package by their path. */
export type Files = Record<string, string>;

/** A ZIP file of these files. */
export function zipOf(files: Files): Uint8Array<ArrayBuffer> {
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])),
  ) as Uint8Array<ArrayBuffer>;
}

const page = (title: string, body: string, script: string): string => `<!doctype html>
<html><head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="../shared/look.css"></head>
<body>${body}<script src="${script}"></script></body></html>`;

/** A slide, a question, a completion: the same in every standard; `talk.js` speaks it. */
const lesson = `
<section id="slide"><h1>Unplug the grinder</h1><p>Pull the plug before you open the guard.</p>
<button id="next">Next</button></section>
<section id="question" hidden><h2>What comes first?</h2>
<label><input type="radio" name="answer" value="guard"> Open the guard</label>
<label><input type="radio" name="answer" value="plug"> Pull the plug</label>
<button id="answer">Answer</button></section>
<p id="result" role="status"></p>`;

/** What every lesson does; the standard's own part defines begin, keep(place) and finish(isRight). */
const steps = `
const show = (place) => {
  document.querySelector('#slide').hidden = place !== 'slide';
  document.querySelector('#question').hidden = place !== 'question';
  document.body.dataset.place = place;
};
// What content of another vendor might try: the storage and tokens of the app, and calls as its user.
window.pry = async (app) => {
  const tried = {};
  for (const [name, look] of Object.entries({
    storage: () => localStorage.getItem('secret'),
    session: () => sessionStorage.getItem('secret'),
    cookie: () => document.cookie,
    top: () => window.top.location.origin,
    opener: () => window.top.opener && window.top.opener.localStorage.getItem('secret'),
    databases: async () => (await indexedDB.databases()).map(({ name: one }) => one).join(),
    call: async () => (await fetch(app + '/api/2.0/user')).status,
    frame: () => new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = () => {
        try { resolve(frame.contentWindow.localStorage.getItem('secret')); } catch (error) { resolve(error.name); }
      };
      frame.src = app + '/';
      document.body.append(frame);
    }),
  })) {
    try { tried[name] = await look(); } catch (error) { tried[name] = error.name; }
  }
  return tried;
};
document.querySelector('#next').onclick = () => { show('question'); keep('question'); };
document.querySelector('#answer').onclick = () => {
  const right = document.querySelector('[name=answer]:checked')?.value === 'plug';
  document.querySelector('#result').textContent = right ? 'Right' : 'Wrong';
  finish(right);
};
`;

const findApi = `
function find(name) {
  for (let at = window, depth = 0; depth < 10; at = at.parent, depth += 1) {
    if (at[name]) return at[name];
    if (at.parent === at) return null;
  }
  return null;
}
`;

const talk12 = `${findApi}
const api = find('API');
if (api.LMSInitialize('') !== 'true') throw new Error('no API');
const keep = (place) => {
  api.LMSSetValue('cmi.core.lesson_status', 'incomplete');
  api.LMSSetValue('cmi.core.lesson_location', place);
  api.LMSSetValue('cmi.suspend_data', JSON.stringify({ place }));
  api.LMSSetValue('cmi.core.exit', 'suspend');
  api.LMSCommit('');
};
const finish = (right) => {
  api.LMSSetValue('cmi.core.score.min', '0');
  api.LMSSetValue('cmi.core.score.max', '50');
  api.LMSSetValue('cmi.core.score.raw', right ? '45' : '10');
  api.LMSSetValue('cmi.core.lesson_status', right ? 'passed' : 'failed');
  api.LMSCommit('');
  api.LMSFinish('');
};
${steps}
const kept = api.LMSGetValue('cmi.suspend_data');
document.body.dataset.learner = api.LMSGetValue('cmi.core.student_name');
show(kept === '' ? 'slide' : JSON.parse(kept).place);
`;

const talk2004 = `${findApi}
const api = find('API_1484_11');
if (api.Initialize('') !== 'true') throw new Error('no API');
const keep = (place) => {
  api.SetValue('cmi.completion_status', 'incomplete');
  api.SetValue('cmi.location', place);
  api.SetValue('cmi.suspend_data', JSON.stringify({ place }));
  api.SetValue('cmi.exit', 'suspend');
  api.Commit('');
};
const finish = (right) => {
  api.SetValue('cmi.score.scaled', right ? '0.9' : '0.2');
  api.SetValue('cmi.success_status', right ? 'passed' : 'failed');
  api.SetValue('cmi.completion_status', 'completed');
  api.SetValue('cmi.exit', 'normal');
  api.Commit('');
  api.Terminate('');
};
${steps}
const kept = api.GetValue('cmi.suspend_data');
document.body.dataset.learner = api.GetValue('cmi.learner_name');
show(kept === '' ? 'slide' : JSON.parse(kept).place);
`;

/** Speaks xAPI with what its address says; cmi5 fetches its credentials first. */
const talkXapi = `
const query = new URLSearchParams(location.search);
const endpoint = query.get('endpoint');
const activity = query.get('activity_id') || query.get('activityId');
const actor = JSON.parse(query.get('actor'));
let auth = query.get('auth');
const send = (method, path, body) => fetch(endpoint + path, {
  method,
  headers: { Authorization: auth, 'X-Experience-API-Version': '1.0.3', 'Content-Type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});
let context = { registration: query.get('registration') };
const say = (verb, result) => send('POST', 'statements', {
  actor,
  verb: { id: 'http://adlnet.gov/expapi/verbs/' + verb },
  object: { objectType: 'Activity', id: activity },
  context,
  ...(result === undefined ? {} : { result }),
});
const stateOf = (stateId) => 'activities/state?' + new URLSearchParams({
  activityId: activity, agent: JSON.stringify(actor), registration: query.get('registration'), stateId,
});
const state = stateOf('place');
// What cmi5 defines is said with the context that the launch gives, and says so.
const takeContext = async () => {
  const { contextTemplate } = await (await send('GET', stateOf('LMS.LaunchData'))).json();
  const category = [{ objectType: 'Activity', id: 'https://w3id.org/xapi/cmi5/context/categories/cmi5' }];
  context = {
    ...contextTemplate,
    registration: query.get('registration'),
    contextActivities: { ...contextTemplate.contextActivities, category },
  };
};
const keep = (place) => send('PUT', state, { place });
const finish = async (right) => {
  await say('completed');
  await say(right ? 'passed' : 'failed', { success: right, score: { scaled: right ? 0.9 : 0.2 } });
};
${steps}
(async () => {
  if (auth === null) {
    auth = 'Basic ' + (await (await fetch(query.get('fetch'), { method: 'POST' })).json())['auth-token'];
    await takeContext();
  }
  const kept = await send('GET', state);
  document.body.dataset.learner = actor.name;
  await say('initialized');
  show(kept.status === 200 ? (await kept.json()).place : 'slide');
})();
`;

/** Speaks HACP. */
const talkAicc = `
const query = new URLSearchParams(location.search);
const hacp = async (command, data) => (await fetch(query.get('AICC_URL'), {
  method: 'POST',
  body: new URLSearchParams({ command, version: '4.0', session_id: query.get('AICC_SID'), aicc_data: data || '' }),
})).text();
const keep = (place) => hacp('PutParam', '[Core]\\r\\nLesson_Location=' + place + '\\r\\nLesson_Status=incomplete\\r\\nScore=\\r\\nTime=00:00:10');
const finish = (right) => hacp('PutParam', '[Core]\\r\\nLesson_Status=' + (right ? 'passed' : 'failed') + '\\r\\nScore=' + (right ? 90 : 20) + '\\r\\nTime=00:00:10').then(() => hacp('ExitAU'));
${steps}
hacp('GetParam').then((text) => {
  document.body.dataset.learner = /Student_Name=(.*)/i.exec(text)[1].trim();
  show(/Lesson_Location=question/i.test(text) ? 'question' : 'slide');
});
`;

function content(talk: string): Files {
  return {
    'content/index.html': page('Unplug the grinder', lesson, 'talk.js'),
    'content/talk.js': talk,
    'shared/look.css': 'body { font-family: sans-serif; }',
  };
}

interface Options {
  title?: string;
  masteryScore?: number;
}

/**
 * A SCORM 2004 package with sequencing: a pre-test, a lesson that is skipped after passing the test, and an exam that
 * is repeated until it is passed. Learners cannot choose freely.
 */
export function sequenced2004(): Files {
  const status = (name: string, access: string): string =>
    `<imsss:objectives><imsss:primaryObjective objectiveID="${name}"><imsss:mapInfo targetObjectiveID="knows" ${access}/></imsss:primaryObjective></imsss:objectives>`;
  const rule = (kind: string, condition: string, action: string): string =>
    `<imsss:sequencingRules><imsss:${kind}ConditionRule><imsss:ruleConditions><imsss:ruleCondition ${condition}/></imsss:ruleConditions><imsss:ruleAction action="${action}"/></imsss:${kind}ConditionRule></imsss:sequencingRules>`;
  const item = (id: string, title: string, sequencing: string): string =>
    `<item identifier="${id}" identifierref="RES" parameters="?part=${id}"><title>${title}</title>${sequencing}</item>`;
  return {
    ...content(talk2004),
    'imsmanifest.xml': `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="ORDER" version="1" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:adlseq="http://www.adlnet.org/xsd/adlseq_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
  <metadata><schema>ADL SCORM</schema><schemaversion>2004 4th Edition</schemaversion></metadata>
  <organizations default="ORG"><organization identifier="ORG"><title>Lockout</title>
    ${item('TEST', 'What do you know?', `<imsss:sequencing>${rule('post', 'condition="satisfied"', 'continue')}${status('test', 'writeSatisfiedStatus="true"')}</imsss:sequencing>`)}
    ${item('LESSON', 'Unplug', `<imsss:sequencing>${rule('pre', 'condition="satisfied"', 'skip')}${status('lesson', 'readSatisfiedStatus="true"')}<adlseq:rollupConsiderations requiredForCompleted="ifNotSkipped" requiredForSatisfied="ifNotSkipped"/></imsss:sequencing>`)}
    ${item('EXAM', 'Exam', '<imsss:sequencing IDRef="UNTIL_PASSED"/>')}
    <imsss:sequencing><imsss:controlMode choice="false" flow="true"/></imsss:sequencing>
  </organization></organizations>
  <resources><resource identifier="RES" type="webcontent" adlcp:scormType="sco" href="content/index.html"/></resources>
  <imsss:sequencingCollection><imsss:sequencing ID="UNTIL_PASSED">${rule('post', 'operator="not" condition="satisfied"', 'retry')}</imsss:sequencing></imsss:sequencingCollection>
</manifest>`,
  };
}

/** A SCORM 1.2 package whose lesson scores 45 of 50. */
export function scorm12({ title = 'Lockout', masteryScore }: Options = {}): Files {
  const mastery =
    masteryScore === undefined ? '' : `<adlcp:masteryscore>${masteryScore}</adlcp:masteryscore>`;
  return {
    ...content(talk12),
    'imsmanifest.xml': `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="LOCKOUT" version="1" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="ORG"><organization identifier="ORG"><title>${title}</title>
    <item identifier="LESSON" identifierref="RES" parameters="?from=menu"><title>Unplug</title>${mastery}<adlcp:datafromlms>mode=workshop</adlcp:datafromlms></item>
  </organization></organizations>
  <resources><resource identifier="RES" type="webcontent" adlcp:scormtype="sco" xml:base="content/" href="index.html"><file href="index.html"/></resource></resources>
</manifest>`,
  };
}

/** A SCORM 2004 package of an edition whose lesson scores 0.9. */
export function scorm2004(edition: '3rd' | '4th', { title = 'Lockout' }: Options = {}): Files {
  return {
    ...content(talk2004),
    'imsmanifest.xml': `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="LOCKOUT" version="1" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
  <metadata><schema>ADL SCORM</schema><schemaversion>2004 ${edition} Edition</schemaversion></metadata>
  <organizations default="ORG"><organization identifier="ORG"><title>${title}</title>
    <item identifier="LESSON" identifierref="RES"><title>Unplug</title>
      <imsss:sequencing><imsss:objectives><imsss:primaryObjective objectiveID="main" satisfiedByMeasure="true"><imsss:minNormalizedMeasure>0.6</imsss:minNormalizedMeasure></imsss:primaryObjective></imsss:objectives></imsss:sequencing>
    </item>
  </organization></organizations>
  <resources><resource identifier="RES" type="webcontent" adlcp:scormType="sco" href="content/index.html"><file href="content/index.html"/></resource></resources>
</manifest>`,
  };
}

/** An xAPI package. */
export function xapi({ title = 'Lockout' }: Options = {}): Files {
  return {
    ...content(talkXapi),
    'tincan.xml': `<?xml version="1.0" encoding="utf-8"?>
<tincan xmlns="http://projecttincan.com/tincan.xsd"><activities>
  <activity id="https://example.org/lockout" type="http://adlnet.gov/expapi/activities/course">
    <name>${title}</name><description lang="en">Lockout</description><launch lang="en">content/index.html</launch>
  </activity>
</activities></tincan>`,
  };
}

/** A cmi5 package whose unit must be completed and passed. */
export function cmi5({ title = 'Lockout' }: Options = {}): Files {
  return {
    ...content(talkXapi),
    'cmi5.xml': `<?xml version="1.0" encoding="utf-8"?>
<courseStructure xmlns="https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd">
  <course id="https://example.org/course"><title><langstring lang="en">${title}</langstring></title><description><langstring lang="en">Lockout</langstring></description></course>
  <block id="https://example.org/block"><title><langstring lang="en">Safety</langstring></title>
    <au id="https://example.org/unit" moveOn="CompletedAndPassed" masteryScore="0.6" launchMethod="AnyWindow">
      <title><langstring lang="en">Unplug</langstring></title><url>content/index.html</url><launchParameters>mode=workshop</launchParameters>
    </au>
  </block>
</courseStructure>`,
  };
}

/** An AICC package: its four files with CRLF, as old tools write them. */
export function aicc({ title = 'Lockout' }: Options = {}): Files {
  const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n`;
  return {
    ...content(talkAicc),
    'lockout.crs': lines('[Course]', 'Course_ID=LOCKOUT', `Course_Title=${title}`, 'Version=4.0'),
    'lockout.au': lines(
      '"System_ID","Type","Command_Line","File_Name","Max_Score","Mastery_Score","Core_Vendor","Web_Launch"',
      '"A1","Lesson","","content/index.html","100","60","mode=workshop","from=menu"',
    ),
    'lockout.des': lines(
      '"System_ID","Developer_ID","Title","Description"',
      '"A1","unplug","Unplug, then open","The ""safe"" way"',
    ),
    'lockout.cst': lines('"Block","Member"', '"ROOT","A1"'),
  };
}
