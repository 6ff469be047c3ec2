import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Administration of teams. */
export const teamAdminText = inLanguage('teamAdmin', {
  title: 'Teams',
  lead: 'A team’s lead plans its work, and sees what its members record. Guides and courses can be given to a team.',
  failed: 'Couldn’t load the teams',
  add: 'New team',
  none: 'There are no teams yet',
  noneHint: 'Make one for a line, a shift or a shop, and name its lead.',
  find: 'Find a team or lead',
  noneFound: 'No team found',
  noneFoundHint: 'Try fewer letters.',
  columns: { name: 'Name', members: 'Members', lead: 'Lead' },
  noLead: 'No lead',
  unknownLead: 'Deactivated account',
  name: 'Name',
  needName: 'Enter a name',
  leadOf: 'Lead',
  leadHint: 'The lead is also the first member.',
  nobodyYet: 'Nobody yet',
  create: 'Create team',
  created: message<[name: string]>('{name} created', 'name'),

  back: 'Teams',
  gone: 'This team does not exist',
  goneHint: 'It may have been deleted meanwhile.',
  page: 'Team page',
  members: message<[number: number]>(
    '{number, plural, =0 {No members} one {# member} other {# members}}',
    'number',
  ),
  nameAndLead: 'Name and lead',
  needMember: 'Add a member first: the lead is one of them.',
  saved: 'Team saved',
  membersTitle: 'Members',
  noMembers: 'Nobody is in this team yet. The first member becomes its lead.',
  isLead: 'Lead',
  addMember: 'Add a person',
  addIt: 'Add',
  choosePerson: 'Type a name',
  nobodyFound: 'Nobody by this name who is not a member',
  showPeople: 'Show people',
  added: message<[name: string]>('{name} is a member now', 'name'),
  remove: 'Remove',
  removeNamed: message<[name: string]>('Remove {name} from the team', 'name'),
  removeTitle: message<[name: string, team: string]>('Remove {name} from {team}?', 'name', 'team'),
  removeBody: 'What only the team may see disappears from the person’s devices at the next sync.',
  removeLead: 'The person who has been a member longest becomes the lead.',
  removeLast:
    'This is the last member: the team is deleted with its page, unless work orders are planned for it.',
  removed: message<[name: string]>('{name} is no longer a member', 'name'),

  delete: 'Delete team',
  deleteLead:
    'The team disappears for everyone, with its page and its courses. People, and what they recorded, stay.',
  deleteTitle: message<[name: string]>('Delete {name}?', 'name'),
  deleteBody: message<[number: number]>(
    '{number, plural, =0 {It has no members.} one {# person is no longer in it.} other {# people are no longer in it.}} What only the team may see disappears from their devices. This cannot be undone.',
    'number',
  ),
  deleted: message<[name: string]>('{name} deleted', 'name'),
  hasOrders: 'Open work orders are planned for this team',
  hasOrdersHint: 'Withdraw them or plan them for somebody else, then delete the team.',
  showOrders: 'Show planned orders',
});
