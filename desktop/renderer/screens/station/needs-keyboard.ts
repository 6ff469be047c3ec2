import { findBridge } from '#desktop/renderer/platform/bridge.ts';

/**
 * Whether this station has no keyboard on its screen of its own: the desktop app keeps people from that of the system, and
 * browsers on Linux computers have none.
 */
export function needsKeyboard(): boolean {
  const { userAgent } = navigator;
  return findBridge() !== undefined || (userAgent.includes('Linux') && !userAgent.includes('Android'));
}
