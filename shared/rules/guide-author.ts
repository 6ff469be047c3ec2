import type { GuideFacts } from '#shared/model/guide.ts';

/** Who wrote a guide: a person's number on their site, and the name. */
export interface GuideAuthor {
  userid: number;
  name: string;
}

/**
 * Whom archives and pages name as the author of an imported guide: whoever wrote it on its site, while it is whose the
 * import made it. Undefined: the person whose it is.
 */
export function authorElsewhere({
  userid,
  archived_author: archived,
}: Pick<GuideFacts, 'userid' | 'archived_author'>): GuideAuthor | undefined {
  if (archived === undefined || archived.given_userid !== userid) return undefined;
  return { userid: archived.userid, name: archived.name };
}
