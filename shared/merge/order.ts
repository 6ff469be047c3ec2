/**
 * Indexes of a longest strictly increasing subsequence of `values`: the elements that can stay in place while the
 * others move. `less` orders two values.
 */
export function longestRising<T>(values: readonly T[], less: (a: T, b: T) => boolean): number[] {
  const tails: number[] = [];
  const before: (number | undefined)[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (less(values[tails[middle] as number] as T, value)) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? tails[low - 1] : undefined;
    tails[low] = index;
  });
  const run: number[] = [];
  for (let at = tails.at(-1); at !== undefined; at = before[at]) run.push(at);
  return run.toReversed();
}

export type OrderMerge = {
  order: string[];
  /** Elements of the base that moved, and the sides that moved them. */
  moved: Map<string, 'mine' | 'theirs' | 'both'>;
};

type Side = { order: readonly string[]; floating: Set<string>; moved: Set<string> };

/** The elements placed behind each anchor, in order; the anchor undefined is the beginning of the list. */
type Runs = Map<string | undefined, string[]>;

/**
 * Merges two orders of keyed elements (rules MERGE-50–MERGE-54). The result contains each key of either side once, if
 * `isIncluded` accepts it. Swapping mine and theirs gives the same order.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  isIncluded: (key: string) => boolean,
): OrderMerge {
  const left = sideOf(base, mine);
  const right = sideOf(base, theirs);
  const present = new Set([...mine, ...theirs]);
  const skeleton = base.filter(
    (key) => isIncluded(key) && present.has(key) && !left.floating.has(key) && !right.floating.has(key),
  );
  const anchors = new Map(skeleton.map((key, index) => [key, index]));
  const leftRuns = runsOf(left, anchors, isIncluded);
  const rightRuns = runsOf(right, anchors, isIncluded);
  keepEarlier(leftRuns, rightRuns, anchors);
  const order = [undefined, ...skeleton].flatMap((anchor) => [
    ...(anchor === undefined ? [] : [anchor]),
    ...mergeRuns(leftRuns.get(anchor) ?? [], rightRuns.get(anchor) ?? []),
  ]);
  const moved: OrderMerge['moved'] = new Map();
  for (const key of left.moved) moved.set(key, right.moved.has(key) ? 'both' : 'mine');
  for (const key of right.moved) if (!left.moved.has(key)) moved.set(key, 'theirs');
  return { order, moved };
}

function sideOf(base: readonly string[], order: readonly string[]): Side {
  const places = new Map(base.map((key, index) => [key, index]));
  const old = order.filter((key) => places.has(key));
  const stay = longestRising(old, (a, b) => (places.get(a) ?? 0) < (places.get(b) ?? 0));
  const stable = new Set(stay.map((index) => old[index]));
  return {
    order,
    floating: new Set(order.filter((key) => !stable.has(key))),
    moved: new Set(old.filter((key) => !stable.has(key))),
  };
}

function runsOf(side: Side, anchors: Map<string, number>, isIncluded: (key: string) => boolean): Runs {
  const runs: Runs = new Map();
  let anchor: string | undefined;
  for (const key of side.order) {
    if (anchors.has(key)) anchor = key;
    else if (side.floating.has(key) && isIncluded(key)) runs.set(anchor, [...(runs.get(anchor) ?? []), key]);
  }
  return runs;
}

/** Leaves an element that the sides placed behind different anchors behind the earlier one. */
function keepEarlier(left: Runs, right: Runs, anchors: Map<string, number>): void {
  const placeOf = (anchor: string | undefined): number =>
    anchor === undefined ? -1 : (anchors.get(anchor) ?? -1);
  const anchorOf = (runs: Runs): Map<string, string | undefined> =>
    new Map([...runs].flatMap(([anchor, keys]) => keys.map((key) => [key, anchor] as const)));
  const rightAnchors = anchorOf(right);
  for (const [key, anchor] of anchorOf(left)) {
    if (!rightAnchors.has(key)) continue;
    const other = rightAnchors.get(key);
    if (other === anchor) continue;
    const [runs, later] = placeOf(anchor) < placeOf(other) ? [right, other] : [left, anchor];
    runs.set(
      later,
      (runs.get(later) ?? []).filter((candidate) => candidate !== key),
    );
  }
}

/**
 * Joins the runs of both sides behind one anchor: shared elements once, the others in an order that does not depend on
 * which side is which.
 */
function mergeRuns(a: string[], b: string[]): string[] {
  const [first, second] = a.join('\n') <= b.join('\n') ? [a, b] : [b, a];
  const places = new Map(first.map((key, index) => [key, index]));
  const shared = second.filter((key) => places.has(key));
  const stay = longestRising(shared, (x, y) => (places.get(x) ?? 0) < (places.get(y) ?? 0));
  const joints = [...stay.map((index) => shared[index]), undefined];
  const result = new Set<string>();
  let from = 0;
  let next = 0;
  for (const joint of joints) {
    for (; from < first.length && first[from] !== joint; from += 1) result.add(first[from] as string);
    for (; next < second.length && second[next] !== joint; next += 1) result.add(second[next] as string);
    if (joint !== undefined) result.add(joint);
    from += 1;
    next += 1;
  }
  return [...result];
}
