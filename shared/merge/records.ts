import type { ContentPath } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { type Json, type MergeLog, asJson, contest } from './conflict.ts';
import { mergeOrder } from './order.ts';
import { mergeText } from './text.ts';

/**
 * How each field of a record merges: word by word, or as one value. Fields that are not listed are taken from theirs.
 */
export type FieldRules<T> = { [F in keyof T & string]?: 'text' | 'value' };

/** Combines two contradicting values of a field; undefined when they cannot be combined. */
export type BothOf = (field: string, mine: Json, theirs: Json) => Json | undefined;

/**
 * Merges the fields of one record (rules MERGE-1–MERGE-4, MERGE-10–MERGE-17). For a record that both sides added,
 * `base` is a blank one.
 */
export function mergeFields<T extends object>(
  rules: FieldRules<T>,
  sides: { base: T; mine: T; theirs: T },
  place: ContentPath,
  log: MergeLog,
  bothOf: BothOf = () => undefined,
): T {
  const merged: T = { ...sides.theirs };
  for (const field of Object.keys(rules) as (keyof T & string)[]) {
    const at = { ...place, field };
    const base = sides.base[field];
    const mine = sides.mine[field];
    const theirs = sides.theirs[field];
    if (sameValue(mine, theirs)) continue;
    if (sameValue(base, mine)) {
      log.merges.push({ place: at, kind: rules[field] === 'text' ? 'text' : 'changed', by: 'theirs' });
    } else if (sameValue(base, theirs)) {
      setField(merged, field, mine);
    } else if (rules[field] === 'text') {
      setField(
        merged,
        field,
        mergeTextField(String(base), String(mine), String(theirs), at, log) as T[typeof field],
      );
    } else {
      const values = { base: asJson(base), mine: asJson(mine), theirs: asJson(theirs) };
      const both = bothOf(field, values.mine, values.theirs);
      const suggested = both ?? values.theirs;
      contest(log, {
        place: at,
        kind: 'value',
        ...values,
        provisional: values.theirs,
        suggested,
        ...(both === undefined ? {} : { both }),
      });
    }
  }
  return merged;
}

/** Sets a field. An absent optional field must stay absent. */
function setField<T extends object, F extends keyof T>(record: T, field: F, value: T[F]): void {
  if (value === undefined) delete record[field];
  else record[field] = value;
}

/** Merges one text and logs the conflict or merge. */
function mergeTextField(
  base: string,
  mine: string,
  theirs: string,
  place: ContentPath,
  log: MergeLog,
): string {
  const { merged, conflict, variants, spans } = mergeText(base, mine, theirs);
  if (conflict) {
    const suggested = variants.both;
    contest(log, {
      place,
      kind: 'text',
      base,
      mine,
      theirs,
      provisional: merged,
      suggested,
      variants,
      spans,
    });
  } else {
    log.merges.push({ place, kind: 'text', by: 'both' });
  }
  return merged;
}

export type KeyedSides<T> = { base: Map<string, T>; mine: Map<string, T>; theirs: Map<string, T> };

export type KeyedMerge<T> = {
  placeOf(key: string): ContentPath;
  /** Merges an element that both sides have; undefined when they together removed all its content. */
  merge(key: string, base: T | undefined, mine: T, theirs: T): T | undefined;
  /** Whether a change counts as an edit, which contests a removal by the other side. */
  isEdited(base: T, side: T): boolean;
};

/** Merges a list of elements with identity (rules MERGE-20–MERGE-25 and, for their order, MERGE-50–MERGE-54). */
export function mergeKeyed<T>(sides: KeyedSides<T>, how: KeyedMerge<T>, log: MergeLog): T[] {
  const { base, mine, theirs } = sides;
  const elements = new Map<string, T>();
  for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
    const left = mine.get(key);
    const right = theirs.get(key);
    const element =
      left !== undefined && right !== undefined
        ? how.merge(key, base.get(key), left, right)
        : oneSided(key, sides, how, log);
    if (element !== undefined) elements.set(key, element);
  }
  const { order, moved } = mergeOrder([...base.keys()], [...mine.keys()], [...theirs.keys()], (key) =>
    elements.has(key),
  );
  for (const [key, by] of moved) {
    if (by !== 'mine' && elements.has(key)) log.merges.push({ place: how.placeOf(key), kind: 'moved', by });
  }
  return order.map((key) => elements.get(key) as T);
}

function oneSided<T>(key: string, sides: KeyedSides<T>, how: KeyedMerge<T>, log: MergeLog): T | undefined {
  const place = how.placeOf(key);
  const old = sides.base.get(key);
  const mine = sides.mine.get(key);
  const present = (mine ?? sides.theirs.get(key)) as T;
  if (old === undefined) {
    if (mine === undefined) log.merges.push({ place, kind: 'added', by: 'theirs' });
    return present;
  }
  if (!how.isEdited(old, present)) {
    if (mine !== undefined) log.merges.push({ place, kind: 'removed', by: 'theirs' });
    return undefined;
  }
  contest(log, {
    place,
    kind: 'removal',
    removedBy: mine === undefined ? 'mine' : 'theirs',
    base: asJson(old),
    mine: asJson(mine),
    theirs: asJson(sides.theirs.get(key)),
    provisional: asJson(present),
    suggested: asJson(present),
  });
  return present;
}
