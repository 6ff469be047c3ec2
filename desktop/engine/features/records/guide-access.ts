import { isBeyondKiosk } from '#shared/rules/kiosk.ts';

/** Privileges that let a person edit guides of others; the server decides, this only decides what is offered. */
const editors = ['Author', 'Moderator', 'Admin'];
/** Privileges that let a person decide about guides of others what is otherwise their author's to decide. */
const moderators = ['Moderator', 'Admin'];

/** Whether editing a guide is offered: one's own, and every visible one to the authors of the site. */
export function canEdit(person: { userid: number; privileges: string[] }, author: number): boolean {
  if (person.userid === 0 || isBeyondKiosk(person, 'guide.edit')) return false;
  return author === person.userid || person.privileges.some((one) => editors.includes(one));
}

/** Whether deciding who sees a guide is offered: of one's own, and to moderators. */
export function canShare(person: { userid: number; privileges: string[] }, author: number): boolean {
  if (person.userid === 0 || isBeyondKiosk(person, 'guide.share')) return false;
  return author === person.userid || person.privileges.some((one) => moderators.includes(one));
}

/** Whether writing a new guide is offered: to everybody who is signed in. */
export function canCreateGuides(person: { privileges: readonly string[] } | null): boolean {
  return person !== null && !isBeyondKiosk(person, 'guide.create');
}
