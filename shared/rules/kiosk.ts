/**
 * All that the shared account of a kiosk may do: read, run work orders, fill forms, upload what they ask for, comment,
 * mark guides. Nobody knows who stands before it, so that what is not named here is refused, new actions included.
 */
const kioskActions: ReadonlySet<string> = new Set([
  'site.read',
  'account.omitAppId',
  'guide.see',
  'wiki.see',
  'post.see',
  'glossary.see',
  'team.seeAssignments',
  'comment.see',
  'comment.write',
  'comment.edit',
  'comment.remove',
  'entry.see',
  'entry.start',
  'entry.act',
  'entry.assume',
  'file.read',
  'media.upload',
]);

/** Whether what a person is keeps them from `action`, whatever its rule says. The device offers by the same list. */
export function isBeyondKiosk({ privileges }: { privileges: readonly string[] }, action: string): boolean {
  return privileges.includes('Kiosk') && !kioskActions.has(action);
}
