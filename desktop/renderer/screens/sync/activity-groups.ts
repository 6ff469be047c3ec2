import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';

/** All entries about one work order, guide or page, or a single entry that belongs to none. */
export interface ActivityGroup {
  id: string;
  subject: string;
  kind: ActivityItem['kind'];
  /** Newest first; never empty. */
  items: readonly [ActivityItem, ...ActivityItem[]];
  /** The most urgent entry; its state is shown for the group. */
  foremost: ActivityItem;
  /** Address of the record; null if it has none. */
  href: string | null;
}

/** Order of states: first what needs the person, then what has to be sent. */
const urgency: Record<ActivityItem['state'], number> = {
  'needs-decision': 0,
  parked: 1,
  'waits-for-sign-in': 2,
  sending: 3,
  queued: 3,
  'on-the-server': 4,
};

/** Groups by urgency, then newest first. The entries of a record stay together, newest first. */
export function activityGroups(items: readonly ActivityItem[]): ActivityGroup[] {
  const byRecord = Map.groupBy(items, recordOf);
  const groups = [...byRecord].flatMap(([id, entries]) => {
    const [first, ...rest] = entries;
    return first === undefined ? [] : [groupOf(id, [first, ...rest])];
  });
  return groups.toSorted(
    (a, b) => urgency[a.foremost.state] - urgency[b.foremost.state] || b.items[0].at - a.items[0].at,
  );
}

function groupOf(id: string, items: ActivityGroup['items']): ActivityGroup {
  const [foremost = items[0]] = items.toSorted((a, b) => urgency[a.state] - urgency[b.state]);
  const named = items.find(({ kind }) => kind === mainKind(items[0])) ?? items[0];
  return { id, subject: named.subject, kind: mainKind(items[0]), items, foremost, href: pageOf(items[0]) };
}

/** Photos and values of a work order belong to the order, comments and marks to their guide or page. */
function recordOf({ id, kind, guideid, wikiid, entryid, call }: ActivityItem): string {
  if (entryid !== null) return `work-order:${entryid}`;
  if (guideid !== null) return `guide:${guideid}`;
  if (wikiid !== null) return `page:${wikiid}`;
  return kind === 'profile' || kind === 'team' ? `${kind}:${call.path}` : id;
}

function mainKind({ kind, guideid, wikiid, entryid }: ActivityItem): ActivityItem['kind'] {
  if (entryid !== null) return 'work-order';
  if (guideid !== null) return 'guide';
  return wikiid === null ? kind : 'page';
}

function pageOf({ kind, guideid, wikiid, entryid, call }: ActivityItem): string | null {
  if (entryid !== null) return `/work-orders/${encodeURIComponent(entryid)}`;
  if (guideid !== null) return `/guides/${encodeURIComponent(guideid)}`;
  if (wikiid !== null) return `/pages/${encodeURIComponent(wikiid)}`;
  const about = /^\/(?:users|teams)\/(?<id>\d+)/.exec(call.path)?.groups;
  if (about === undefined || (kind !== 'profile' && kind !== 'team')) return null;
  return kind === 'team' ? `/teams/${about['id']}` : `/people/${about['id']}`;
}
