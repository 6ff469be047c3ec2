import type { GuideFacts, ReleasedGuide } from '#shared/model/guide.ts';

/** The prerequisites that a guide wants as they were released, as far as this device has them. */
export function releasedIn(facts: Pick<GuideFacts, 'prerequisite_releases'>): ReleasedGuide[] {
  return (facts.prerequisite_releases ?? []).flatMap(({ released }) =>
    released === undefined ? [] : [released],
  );
}

/** The facts of a guide as it was released. It names no prerequisites: who may see those is not told with it. */
export function factsOfRelease({ guide, approval }: ReleasedGuide): GuideFacts {
  return { ...guide, prerequisites: [], ...(approval === undefined ? {} : { approval }) };
}
