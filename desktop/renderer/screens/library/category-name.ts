import { useLiveSoon } from '#desktop/renderer/use-live.ts';

/** The name of a category by its title: the same everywhere (FIND-7). Until it is known, the title itself. */
export function useCategoryName(): (title: string) => string {
  const names = useLiveSoon('categoryNames');
  return (title) => names?.[title] ?? title;
}
