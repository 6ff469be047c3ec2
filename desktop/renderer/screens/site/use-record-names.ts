import { useMemo } from 'react';

import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { shownAt } from './audit-words.ts';

/** What a record is called, as far as this device knows it. */
export type NameOf = (record: Parameters<typeof shownAt>[0]) => string | undefined;

/** Names of the people, teams and guides that rows of the log are about. */
export function useRecordNames(): NameOf {
  const { people, teams } = useLive('directory');
  const library = useLiveSoon('library', everyGuide);
  return useMemo(() => {
    const names = new Map<string, string>([
      ...people.map(({ userid, name }) => [`/people/${userid}`, name] as const),
      ...teams.map(({ teamid, name }) => [`/teams/${teamid}`, name] as const),
      ...(library?.guides ?? []).map(({ guideid, title }) => [`/guides/${guideid}`, title] as const),
    ]);
    return (record) => names.get(shownAt(record) ?? '');
  }, [people, teams, library]);
}

const everyGuide = { category: null };
