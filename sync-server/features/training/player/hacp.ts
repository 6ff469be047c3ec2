import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';

import { outcomeOfLesson, untouched, type DataModel } from '../outcome.ts';
import type { TrainingActivity } from '../package.ts';
import { recordState, statesOf } from './progress.ts';
import type { PlaySession } from './sessions.ts';

/**
 * Answers a HACP request (AICC CMI001 6.4): the request is a form, the answer consists of lines.
 *
 * - TRAINING-15 An AICC unit gets and puts its parameters by HACP, and gets its objectives' states and the student's
 *   preferences back unchanged. Comments and the data of other commands are stored (the last 64 KB of each).
 */
export async function answerHacp(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
  body: string,
): Promise<string> {
  const form = new Map([...new URLSearchParams(body)].map(([name, value]) => [name.toLowerCase(), value]));
  if (form.get('session_id') !== session.uuid) return response(3, 'Invalid Session ID');
  const command = (form.get('command') ?? '').toLowerCase();
  switch (command) {
    case 'getparam':
      return response(0, 'Successful', await parameters(services, session, activity));
    case 'putparam':
      await putParameters(services, session, activity, form.get('aicc_data') ?? '');
      return response(0, 'Successful');
    case 'putcomments':
    case 'putobjectives':
    case 'putpath':
    case 'putinteractions':
    case 'putperformance':
      await addText(services, session, activity, command.slice('put'.length), form.get('aicc_data') ?? '');
      return response(0, 'Successful');
    case 'exitau':
      return response(0, 'Successful');
    default:
      return response(1, 'Invalid Command');
  }
}

function response(error: number, text: string, data?: string): string {
  const lines = [`error=${error}`, `error_text=${text}`, 'version=4.0'];
  return [...lines, ...(data === undefined ? [] : [`aicc_data=${data}`]), ''].join('\r\n');
}

async function parameters(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
): Promise<string> {
  const states = await statesOf(services.storage.reader, session);
  const stored = states.get(activity.id)?.data ?? {};
  const mastery = activity.masteryScore;
  return [
    '[Core]',
    `Student_ID=${session.userid}`,
    `Student_Name=${session.viewer.username.replaceAll(/[\r\n]/g, ' ')}`,
    `Credit=${session.preview ? 'N' : 'C'}`,
    'Lesson_Mode=Normal',
    `Lesson_Status=${stored['lesson_status'] ?? 'not attempted'}${'lesson_status' in stored ? ', resume' : ', ab-initio'}`,
    `Lesson_Location=${stored['lesson_location'] ?? ''}`,
    `Score=${stored['score'] ?? ''}`,
    `Time=${stored['total_time'] ?? '00:00:00'}`,
    ...(mastery === null ? [] : ['[Student_Data]', `Mastery_Score=${mastery}`]),
    ...returned.flatMap((name) => (stored[name] === undefined ? [] : [`[${name}]`, stored[name]])),
    '[Core_Lesson]',
    stored['core_lesson'] ?? '',
    '[Core_Vendor]',
    activity.launchData,
  ].join('\r\n');
}

async function putParameters(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
  text: string,
): Promise<void> {
  await contextForJob(services, session.userid, async (ctx) => {
    const states = await statesOf(ctx.db, session);
    const stored = states.get(activity.id)?.data ?? {};
    const sections = sectionsOf(text);
    const core = valuesOf(sections.get('core') ?? '');
    const data: DataModel = {
      ...stored,
      ...core,
      ...textsOf(sections, ['core_lesson', ...returned]),
      ...(sections.has('comments')
        ? { comments: joined(stored['comments'], sections.get('comments') ?? '') }
        : {}),
      total_time: withTime(stored['total_time'], core['time']),
    };
    const [status = ''] = (data['lesson_status'] ?? '').split(',');
    const [raw, max, min] = (data['score'] ?? '').split(',').map((part) => part.trim());
    const outcome = outcomeOfLesson(status, { raw, max, min }, activity.masteryScore);
    await recordState(ctx, session, activity, { data, outcome });
  });
}

/** Sections with free content that a unit gets back unchanged. */
const returned = ['objectives_status', 'student_preferences'] as const;

/** Most stored characters of each other section. */
const longestText = 65_536;

function textsOf(sections: ReadonlyMap<string, string>, names: readonly string[]): DataModel {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = sections.get(name);
      return text === undefined ? [] : [[name, text.slice(0, longestText)]];
    }),
  );
}

/** The earlier and the new text; if they are too long, the end of it. */
function joined(before: string | undefined, text: string): string {
  return [before ?? '', text.trim()]
    .filter((one) => one !== '')
    .join('\r\n')
    .slice(-longestText);
}

/** Appends the text of a unit's command to its earlier text. */
async function addText(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
  name: string,
  text: string,
): Promise<void> {
  await contextForJob(services, session.userid, async (ctx) => {
    const before = (await statesOf(ctx.db, session)).get(activity.id);
    const stored = before?.data ?? {};
    const data = { ...stored, [name]: joined(stored[name], text) };
    await recordState(ctx, session, activity, { data, outcome: before?.outcome ?? untouched });
  });
}

/** The text of each section by its lower-case name. Runs in linear time. */
function sectionsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split(/^[ \t]*(?=\[)/m)) {
    const [, name, content] = /^\[([\w.]+)\][ \t]*\r?\n?([\s\S]*)$/.exec(part) ?? [];
    if (name !== undefined) found.set(name.toLowerCase(), (content ?? '').trimEnd());
  }
  return found;
}

const coreNames = ['lesson_status', 'lesson_location', 'score', 'time'];

function valuesOf(section: string): DataModel {
  return Object.fromEntries(
    section.split(/\r?\n/).flatMap((line) => {
      const [name = '', ...rest] = line.split('=');
      const key = name.trim().toLowerCase();
      return rest.length > 0 && coreNames.includes(key)
        ? [[key, rest.join('=').trim().slice(0, 4096)] as const]
        : [];
    }),
  );
}

/** The sum of two durations `hh:mm:ss`. */
function withTime(total = '00:00:00', more = '00:00:00'): string {
  const seconds = [total, more]
    .map((text) => text.split(':').map(Number))
    .reduce((sum, [h = 0, m = 0, s = 0]) => sum + (Math.floor(h * 3600 + m * 60 + s) || 0), 0);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
