import { text } from '#desktop/renderer/text/en.ts';
import type { AuditEntry } from '#shared/model/audit.ts';

/** What was done, in plain words. */
export function actionWords(action: string): string {
  return text.audit.actions[action] ?? text.audit.otherAction(action);
}

/** Who did it. */
export function whoWords(
  { name, impersonator }: AuditEntry,
  nameOf: (userid: number) => string | undefined,
): string {
  const who = name === '' ? text.audit.nobody : name;
  if (impersonator === null) return who;
  return text.audit.actingAs(nameOf(impersonator) ?? text.audit.administrator(impersonator), who);
}

type Record = Pick<AuditEntry, 'action' | 'object' | 'objectid'>;

/** Commands and calls keep the settings of the site in different words. */
function isSite({ object, objectid }: Record): boolean {
  return object === 'site' || (object === 'meta' && objectid === 'site');
}

/** The record that a row is about, such as "Guide 61"; empty: none. */
export function recordWords(record: Record): string {
  if (record.object === '') return '';
  if (isSite(record)) return text.audit.kinds['site'] ?? record.object;
  // Of what has no number of its own the kind says enough.
  return text.audit.record(kindWords(record), record.objectid.startsWith('{') ? '' : record.objectid);
}

/** A kind of record as a person calls it. Work orders and the glossary call their records the same. */
export function kindWords({ action, object }: Pick<Record, 'action' | 'object'>): string {
  if (object === 'entry' && action.includes('/work_log')) return text.audit.workOrder;
  return text.audit.kinds[object] ?? object;
}

const places: { readonly [kind: string]: string } = {
  guide: '/guides',
  sharedUsers: '/guides',
  sharedTeams: '/guides',
  remainingUsers: '/guides',
  quizAssociations: '/guides',
  wiki: '/pages',
  user: '/people',
  impersonation: '/people',
  team: '/teams',
  teamMembers: '/teams',
  quiz: '/training/quizzes',
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

/** Where the app shows a record; null: nowhere of its own. */
export function shownAt(record: Record): string | null {
  const { action, object, objectid } = record;
  const screen = isSite(record) ? screens['site'] : screens[object];
  if (screen !== undefined) return screen;
  if (!/^\d+$/.test(objectid)) return null;
  if (object === 'entry' && action.includes('/work_log')) return `/work-orders/${objectid}`;
  const place = places[object];
  return place === undefined ? null : `${place}/${objectid}`;
}
