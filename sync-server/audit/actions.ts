/** Actions of the log about itself. */
export const actions = {
  /** The key that seals anchors from now on; `keyid` names it. */
  key: 'audit key',
  /** The log did not go on from where it had ended. */
  gap: 'audit gap',
  /** An administrator says why. */
  acknowledge: 'audit acknowledge',
} as const;
