import { isBeyondKiosk } from '#shared/rules/kiosk.ts';

import type { Viewer } from './viewer.ts';

/** Permission rules by action, `<kind of record>.<verb>`. */
export type Rules = Readonly<Record<string, (viewer: Viewer, object: never) => boolean>>;

/** Decides by rules whether a viewer may do an action to an object: the part of the record that the rule needs. */
export type Decides<R extends Rules> = <A extends keyof R & string>(
  viewer: Viewer,
  action: A,
  object: Parameters<R[A]>[1],
) => boolean;

/** The question that these rules answer. A kiosk is refused what its list does not have, whatever the rules say. */
export function deciding<R extends Rules>(rules: R): Decides<R> {
  return (viewer, action, object) => {
    const rule = rules[action] as (viewer: Viewer, object: unknown) => boolean;
    return !isBeyondKiosk(viewer, action) && rule(viewer, object);
  };
}
