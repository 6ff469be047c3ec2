import { deciding } from '#server/core/deciding.ts';
import type { Viewer } from '#server/core/viewer.ts';

/**
 * Administrators list accounts and sessions, invite people, and end sessions. While they act as somebody else they do
 * none of it.
 */
const accountRules = {
  'account.list': (viewer: Viewer, _all: null): boolean => viewer.isAdmin,
  'account.invite': (viewer: Viewer, _person: { userid: number }): boolean =>
    viewer.isAdmin && viewer.impersonator === undefined,
  'account.endSessions': (viewer: Viewer, _all: null): boolean => viewer.isAdmin,
};

export const can = deciding(accountRules);
