import { isBeyondKiosk } from '#shared/rules/kiosk.ts';

/** Privileges to edit guides of others. The server decides; this only decides what the app offers. */
const editors = ['Author', 'Moderator', 'Admin'];
/** Privileges to make decisions about guides of others that otherwise only their author can make. */
const moderators = ['Moderator', 'Admin'];

/** Whether the app offers to edit a guide: to its author, and to persons with a privilege to edit. */
export function canEdit(person: { userid: number; privileges: string[] }, author: number): boolean {
  if (person.userid === 0 || isBeyondKiosk(person, 'guide.edit')) return false;
  return author === person.userid || person.privileges.some((one) => editors.includes(one));
}

/** Whether the app offers to change who sees a guide: to its author and to moderators. */
export function canShare(person: { userid: number; privileges: string[] }, author: number): boolean {
  if (person.userid === 0 || isBeyondKiosk(person, 'guide.share')) return false;
  return author === person.userid || person.privileges.some((one) => moderators.includes(one));
}

/** Whether the app offers to create guides: to everybody who is signed in, except kiosks. */
export function canCreateGuides(person: { privileges: readonly string[] } | null): boolean {
  return person !== null && !isBeyondKiosk(person, 'guide.create');
}
