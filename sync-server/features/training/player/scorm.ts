import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';

import { outcomeOfScorm12, outcomeOfScorm2004, type DataModel } from '../outcome.ts';
import type { TrainingActivity } from '../package.ts';
import { recordState, statesOf } from './progress.ts';
import type { PlaySession } from './sessions.ts';

/** A commit of a part: the flattened data model; empty lists are empty objects. */
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.strictObject({})]);
const committed = z
  .record(z.string().max(255), value)
  .refine((data) => Object.keys(data).length <= 5000, 'Too many values');

/** The API for a part; null if it has none. */
export function apiOf({ package: { standard } }: PlaySession): 'scorm12' | 'scorm2004' | null {
  if (standard === 'scorm_1.2') return 'scorm12';
  return standard.startsWith('scorm_2004') ? 'scorm2004' : null;
}

/** Stores a commit of a part. Throws 422 if it is not a data model. */
export async function commitScorm(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
  body: unknown,
): Promise<void> {
  const parsed = committed.safeParse(body);
  if (!parsed.success) throw new Problem('invalid', 'The data of the module cannot be read');
  const data: DataModel = Object.fromEntries(
    Object.entries(parsed.data).flatMap(([name, one]) =>
      name.startsWith('cmi.') && typeof one !== 'object' && one !== '' ? [[name, String(one)]] : [],
    ),
  );
  const outcomeOf = apiOf(session) === 'scorm12' ? outcomeOfScorm12 : outcomeOfScorm2004;
  const outcome = outcomeOf(data, activity.masteryScore);
  await contextForJob(services, session.userid, (ctx) =>
    recordState(ctx, session, activity, { data, outcome }),
  );
}

/**
 * The initial data of a part: its stored data and facts from the server. `isNew`: sequencing starts another attempt,
 * without the data of the previous one unless that was suspended (SCORM 2004 RTE 4.2.9).
 */
export async function initialData(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
  isNew: boolean,
): Promise<DataModel> {
  const states = await statesOf(services.storage.reader, session);
  const found = states.get(activity.id)?.data;
  const isSuspended = found?.['cmi.exit'] === 'suspend';
  const stored = isNew && !isSuspended ? undefined : found;
  return apiOf(session) === 'scorm12'
    ? dataOf12(session, activity, stored)
    : dataOf2004(session, activity, stored);
}

/** Values of a single session, which are not returned to the part. */
const sessionValues = /^cmi\.(?:core\.)?(?:session_time|exit|entry)$/;

function withoutSessionValues(stored: DataModel): DataModel {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !sessionValues.test(name)));
}

function dataOf12(
  { userid, viewer, preview }: PlaySession,
  { launchData, masteryScore }: TrainingActivity,
  stored: DataModel | undefined,
): DataModel {
  return {
    ...withoutSessionValues(stored ?? {}),
    'cmi.core.student_id': String(userid),
    'cmi.core.student_name': viewer.username,
    'cmi.core.credit': preview ? 'no-credit' : 'credit',
    'cmi.core.lesson_mode': 'normal',
    'cmi.core.entry': stored === undefined ? 'ab-initio' : 'resume',
    ...(stored?.['cmi.core.lesson_status'] === undefined
      ? { 'cmi.core.lesson_status': 'not attempted' }
      : {}),
    ...(launchData === '' ? {} : { 'cmi.launch_data': launchData }),
    ...(masteryScore === null ? {} : { 'cmi.student_data.mastery_score': String(masteryScore) }),
  };
}

function dataOf2004(
  { userid, viewer, preview }: PlaySession,
  { launchData, masteryScore }: TrainingActivity,
  stored: DataModel | undefined,
): DataModel {
  return {
    ...withoutSessionValues(stored ?? {}),
    'cmi.learner_id': String(userid),
    'cmi.learner_name': viewer.username,
    'cmi.credit': preview ? 'no-credit' : 'credit',
    'cmi.mode': 'normal',
    'cmi.entry': stored === undefined ? 'ab-initio' : 'resume',
    ...(launchData === '' ? {} : { 'cmi.launch_data': launchData }),
    ...(masteryScore === null ? {} : { 'cmi.scaled_passing_score': String(masteryScore / 100) }),
  };
}

/** Completes a part that does not report its completion, when it is opened. */
export async function markOpened(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
): Promise<void> {
  const outcome = { completion: 'completed', success: 'unknown', score: null } as const;
  await contextForJob(services, session.userid, (ctx) =>
    recordState(ctx, session, activity, { data: {}, outcome }),
  );
}
