import { useLive } from './use-live.ts';

/** Whether the person administers the site. Shared accounts never do. */
export function useAdministers(): boolean {
  const { user } = useLive('session');
  const privileges = user?.privileges ?? [];
  return privileges.includes('Admin') && !privileges.includes('Kiosk');
}
