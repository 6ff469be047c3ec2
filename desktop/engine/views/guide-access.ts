/** Privileges that let a person edit guides of others; the server decides, this only decides what is offered. */
const editors = ['Author', 'Moderator', 'Admin'];

/** Whether editing a guide is offered: one's own, and every visible one to the authors of the site. */
export function canEdit(person: { userid: number; privileges: string[] }, author: number): boolean {
  if (person.userid === 0 || person.privileges.includes('Kiosk')) return false;
  return author === person.userid || person.privileges.some((one) => editors.includes(one));
}
