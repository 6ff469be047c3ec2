import { auditWords } from '#desktop/renderer/text/audit.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { surface } from '#shared/api/surface.ts';
import type { AuditEntry } from '#shared/model/audit.ts';

/** The summaries of the calls that have no words of their own. */
const summaries = new Map(
  Object.values(surface)
    .flatMap((table): Endpoint[] => Object.values(table))
    .map(({ method, path, summary }) => [`${method} ${path}`, summary]),
);

/** The action in words: its own, or the summary of the call in the API. */
export function actionWords(action: string): string {
  return auditWords.actions[action] ?? summaries.get(action) ?? auditWords.otherAction(action);
}

/** The person in words. */
export function whoWords(
  { name, impersonator }: AuditEntry,
  nameOf: (userid: number) => string | undefined,
): string {
  const who = name === '' ? auditWords.nobody : name;
  if (impersonator === null) return who;
  return auditWords.actingAs(nameOf(impersonator) ?? auditWords.administrator(impersonator), who);
}

type Record = Pick<AuditEntry, 'action' | 'object' | 'objectid'>;

/** Calls and commands name the site settings differently. */
function isSite({ object, objectid }: Record): boolean {
  return object === 'site' || (object === 'meta' && objectid === 'site');
}

/** The record of a row, such as "Guide 61"; empty if there is none. */
export function recordWords(record: Record): string {
  if (record.object === '') return '';
  if (isSite(record)) return auditWords.kinds['site'] ?? record.object;
  // For records without a number the kind is enough.
  return auditWords.record(kindWords(record), record.objectid.startsWith('{') ? '' : record.objectid);
}

/** The kind of a record in words. Work orders and the glossary both name their records `entry`. */
export function kindWords({ action, object }: Pick<Record, 'action' | 'object'>): string {
  if (object === 'entry' && action.includes('/work_log')) return auditWords.workOrder;
  return auditWords.kinds[object] ?? object;
}

const places: { readonly [kind: string]: string } = {
  guide: '/guides',
  sharedUsers: '/guides',
  sharedTeams: '/guides',
  remainingUsers: '/guides',
  quizAssociations: '/guides',
  quizAttachment: '/guides',
  wiki: '/pages',
  user: '/people',
  impersonation: '/people',
  team: '/teams',
  teamMembers: '/teams',
  quiz: '/training/quizzes',
  quizCancelled: '/training/quizzes',
  course: '/training/plans',
  trainingModule: '/training/modules',
};

const screens: { readonly [kind: string]: string } = {
  site: '/settings/site',
  appid: '/settings/apps',
  app: '/settings/apps',
  webhook: '/settings/webhooks',
  delivery: '/settings/webhooks',
  approvalProcess: '/settings/approvals',
  approval_process: '/settings/approvals',
};

/** Address of a record in the app; null if it has no screen. */
export function shownAt(record: Record): string | null {
  const { action, object, objectid } = record;
  const screen = isSite(record) ? screens['site'] : screens[object];
  if (screen !== undefined) return screen;
  if (!/^\d+$/.test(objectid)) return null;
  if (object === 'entry' && action.includes('/work_log')) return `/work-orders/${objectid}`;
  const place = places[object];
  return place === undefined ? null : `${place}/${objectid}`;
}
