import type { Translation } from '#shared/text/message.ts';

import type { teamAdminText } from '../en/team-admin.ts';

export const teamAdmin: Translation<typeof teamAdminText> = {
  title: 'Teams',
  lead: 'Die Leitung eines Teams plant dessen Arbeit und sieht, was die Mitglieder aufzeichnen. Anleitungen und Kurse können einem Team zugewiesen werden.',
  failed: 'Die Teams konnten nicht geladen werden',
  add: 'Neues Team',
  none: 'Es gibt noch keine Teams',
  noneHint:
    'Legen Sie eines für eine Linie, eine Schicht oder eine Werkstatt an und benennen Sie die Leitung.',
  find: 'Team oder Leitung suchen',
  noneFound: 'Kein Team gefunden',
  noneFoundHint: 'Versuchen Sie es mit weniger Buchstaben.',
  columns: { name: 'Name', members: 'Mitglieder', lead: 'Leitung' },
  noLead: 'Keine Leitung',
  unknownLead: 'Deaktiviertes Konto',
  name: 'Name',
  needName: 'Geben Sie einen Namen ein',
  notSaved:
    'Nicht gespeichert: Jemand anderes hat dieses Team inzwischen geändert. Sehen Sie sich die Änderung an, und speichern Sie dann noch einmal.',
  changedTitle: 'Jemand anderes hat dieses Team inzwischen geändert',
  changedBody: 'Es heißt jetzt „{name}“, Leitung: {lead}.',
  leadOf: 'Leitung',
  leadHint: 'Die Leitung ist auch das erste Mitglied.',
  nobodyYet: 'Noch niemand',
  create: 'Team anlegen',
  created: '{name} angelegt',

  back: 'Teams',
  gone: 'Dieses Team gibt es nicht',
  goneHint: 'Vielleicht wurde es inzwischen gelöscht.',
  page: 'Seite des Teams',
  members: '{number, plural, =0 {Keine Mitglieder} one {# Mitglied} other {# Mitglieder}}',
  nameAndLead: 'Name und Leitung',
  needMember: 'Fügen Sie zuerst ein Mitglied hinzu: Die Leitung ist eines davon.',
  saved: 'Team gespeichert',
  membersTitle: 'Mitglieder',
  noMembers: 'In diesem Team ist noch niemand. Das erste Mitglied wird die Leitung.',
  isLead: 'Leitung',
  addMember: 'Person hinzufügen',
  addIt: 'Hinzufügen',
  choosePerson: 'Namen eingeben',
  nobodyFound: 'Niemand mit diesem Namen, der nicht schon Mitglied ist',
  showPeople: 'Personen zeigen',
  added: '{name} ist jetzt Mitglied',
  remove: 'Entfernen',
  removeNamed: '{name} aus dem Team entfernen',
  removeTitle: '{name} aus {team} entfernen?',
  removeBody: 'Was nur das Team sehen darf, verschwindet beim nächsten Abgleich von den Geräten der Person.',
  removeLead: 'Die Leitung geht an die Person über, die am längsten Mitglied ist.',
  removeLast:
    'Das ist das letzte Mitglied: Das Team wird mit seiner Seite gelöscht, sofern keine Aufträge dafür geplant sind.',
  removed: '{name} ist nicht mehr Mitglied',

  delete: 'Team löschen',
  deleteLead:
    'Das Team verschwindet für alle, mit seiner Seite und seinen Kursen. Personen und was sie aufgezeichnet haben, bleiben.',
  deleteTitle: '{name} löschen?',
  deleteBody:
    '{number, plural, =0 {Es hat keine Mitglieder.} one {# Person gehört ihm dann nicht mehr an.} other {# Personen gehören ihm dann nicht mehr an.}} Was nur das Team sehen darf, verschwindet von deren Geräten. Das kann nicht rückgängig gemacht werden.',
  deleted: '{name} gelöscht',
  hasOrders: 'Für dieses Team sind offene Aufträge geplant',
  hasOrdersHint:
    'Ziehen Sie sie zurück oder planen Sie sie für jemand anderen, und löschen Sie dann das Team.',
  showOrders: 'Geplante Aufträge zeigen',
};
