/**
 * Everything that the shared account of a kiosk may do: read, run work orders, fill in forms, upload files for them,
 * comment, mark guides. A kiosk does not know who uses it, so any action that is not listed is refused, including new
 * ones.
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
  'entry.confirmHere',
  'planned.see',
  'file.read',
  'media.upload',
]);

/**
 * Whether a kiosk account is refused `action`, whatever other rules allow. Devices use the same list to decide what
 * they offer.
 */
export function isBeyondKiosk({ privileges }: { privileges: readonly string[] }, action: string): boolean {
  return privileges.includes('Kiosk') && !kioskActions.has(action);
}
