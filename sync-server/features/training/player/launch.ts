import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { newUuid } from '#server/platform/random.ts';

import type { DataModel } from '../outcome.ts';
import type { TrainingActivity } from '../package.ts';
import { putLaunchData } from './lrs-documents.ts';
import { launchDataOf, lmsIdOf, recordLaunched } from './cmi5.ts';
import { apiOf, initialData, markOpened } from './scorm.ts';
import { issueFetch, type PlaySession } from './sessions.ts';
import { followStatement } from './statement-outcomes.ts';

/** The start of content: its address, and for SCORM its API and the initial data. */
interface Launched {
  url: string;
  api: 'scorm12' | 'scorm2004' | null;
  data: DataModel;
}

/** Credentials of a session for the LRS, for a basic `Authorization`. */
export function basicToken({ token }: PlaySession): string {
  return Buffer.from(`session:${token}`).toString('base64');
}

/** The learner as an xAPI agent. `app`: origin of the app. */
export function agentOf(session: PlaySession, app: string) {
  const account = { homePage: app, name: String(session.userid) };
  return { objectType: 'Agent', name: session.viewer.username, account };
}

/** A part to start. `isNew`: in another attempt, without its stored data. */
interface Launching {
  index: number;
  activity: TrainingActivity;
  isNew: boolean;
}

/** Origins as seen by the browser. */
interface LaunchAddresses {
  /** The origin of the module. */
  player: string;
  app: string;
}

/** Starts a part of a module. */
export async function launchActivity(
  services: Services,
  session: PlaySession,
  { index, activity, isNew }: Launching,
  places: LaunchAddresses,
): Promise<Launched> {
  const base = `${places.player}/play/${session.token}`;
  const path = activity.path.split('/').map(encodeURIComponent).join('/');
  const content = `${base}/content/${path}${activity.suffix}`;
  switch (session.package.standard) {
    case 'xapi':
      return { url: withQuery(content, xapiQuery(session, activity, places)), api: null, data: {} };
    case 'cmi5':
      return { url: await launchCmi5(services, session, activity, content, places), api: null, data: {} };
    case 'aicc': {
      const query = { AICC_SID: session.uuid, AICC_URL: `${base}/hacp/${index}` };
      return { url: withQuery(content, query), api: null, data: {} };
    }
    default:
      if (!activity.isTracked) await markOpened(services, session, activity);
      return {
        url: content,
        api: apiOf(session),
        data: await initialData(services, session, activity, isNew),
      };
  }
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  const more = new URLSearchParams(query).toString().replaceAll('+', '%20');
  url.search = url.search === '' ? `?${more}` : `${url.search}&${more}`;
  return url.href;
}

function xapiQuery(
  session: PlaySession,
  activity: TrainingActivity,
  { player, app }: LaunchAddresses,
): Record<string, string> {
  return {
    endpoint: `${player}/lrs/`,
    auth: `Basic ${basicToken(session)}`,
    actor: JSON.stringify(agentOf(session, app)),
    registration: session.uuid,
    activity_id: activity.id,
  };
}

/** Stores the launch data, records `launched`, and returns the unit's address (cmi5 8 to 10). */
async function launchCmi5(
  services: Services,
  session: PlaySession,
  activity: TrainingActivity,
  content: string,
  { player, app }: LaunchAddresses,
): Promise<string> {
  const activityId = lmsIdOf(session, activity);
  const actor = agentOf(session, app);
  const launch = newUuid(services);
  const launchMode = session.preview ? 'Browse' : 'Normal';
  await contextForJob(services, session.userid, async (ctx) => {
    const returnURL = `${player}/player/closed`;
    const data = launchDataOf(session, activity, { launch, launchMode, returnURL });
    await putLaunchData(ctx, session, activityId, data);
    const url = content;
    const launched = await recordLaunched(ctx, session, activity, actor, { launch, launchMode, url });
    await followStatement(ctx, session, launched);
  });
  const fetchToken = await issueFetch(services, session);
  return withQuery(content, {
    endpoint: `${player}/lrs/`,
    fetch: `${player}/play/${session.token}/fetch/${fetchToken}`,
    registration: session.uuid,
    activityId,
    actor: JSON.stringify(actor),
  });
}
