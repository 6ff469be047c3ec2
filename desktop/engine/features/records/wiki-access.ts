import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import type { WikiNamespace } from '#shared/model/wiki.ts';

/** The properties of a person that decide what the app offers. The server decides what is allowed. */
export interface PageReader {
  userid: number;
  privileges: readonly string[];
  teams: readonly number[];
}

const editors = ['Author', 'Moderator', 'Admin'];
const moderators = ['Moderator', 'Admin'];

/** What the app offers a person on a page. */
export function pageRights(
  person: PageReader,
  namespace: WikiNamespace,
  title: string,
): Record<'canEdit' | 'canDelete' | 'canTag' | 'canPatrol' | 'canTranslate', boolean> {
  const holds = (names: readonly string[]): boolean => person.privileges.some((one) => names.includes(one));
  if (person.userid === 0 || isBeyondKiosk(person, 'wiki.edit'))
    return { canEdit: false, canDelete: false, canTag: false, canPatrol: false, canTranslate: false };
  if (namespace === 'USER' || namespace === 'TEAM') {
    const isOwn =
      namespace === 'USER'
        ? title === String(person.userid)
        : person.teams.some((id) => title === String(id));
    const may = isOwn || person.privileges.includes('Admin');
    return { canEdit: may, canDelete: may, canTag: may, canPatrol: holds(moderators), canTranslate: may };
  }
  return {
    canEdit: namespace !== 'INFO' || holds(editors),
    canDelete: holds(moderators),
    canTag: holds(editors),
    canPatrol: holds(moderators),
    canTranslate: holds(editors),
  };
}

/** Whether the app offers to create pages. */
export function canCreatePages(privileges: readonly string[]): boolean {
  return !isBeyondKiosk({ privileges }, 'wiki.create') && privileges.some((one) => editors.includes(one));
}

/** Whether the app offers to tag a guide: to its author and to moderators. */
export function canTagGuide(person: Pick<PageReader, 'userid' | 'privileges'>, author: number): boolean {
  if (person.userid === 0 || isBeyondKiosk(person, 'guide.tag')) return false;
  return author === person.userid || person.privileges.some((one) => moderators.includes(one));
}
