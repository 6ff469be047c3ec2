import { useRef, useState } from 'react';

import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { useFormDraft, type FormDraft } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { sameValue } from '#shared/rules/same-value.ts';

import { blankForm, formOf, typedIn, type PlanForm } from './plan-form.ts';
import { typedPlan, type TypedPlan } from './typed-plan.ts';

interface PlanDraft extends Pick<FormDraft<TypedPlan>, 'restoredFrom' | 'isDirty' | 'forget'> {
  form: PlanForm;
  /** The planned order with what the form had when it was opened. */
  seen: PlannedOrderView | undefined;
  /** Whether the planned order changed after the restored text was typed. */
  isBehind: boolean;
  change: (some: Partial<PlanForm>) => void;
}

/**
 * The form of a plan. What was typed is stored on this device until the order is planned or the text is discarded. `present`:
 * the planned order that it changes; what was typed about an earlier version of it is applied to this one. What changes while
 * the form is open is not shown in it, so that the server refuses a change by somebody who has not seen that. `follows`: the
 * deviation that a new order follows up, and what its form has at first.
 */
export function usePlanForm(
  present: PlannedOrderView | undefined,
  follows?: { deviationid: string; form: PlanForm },
): PlanDraft {
  const { user } = useLive('session');
  const { guides } = useLive('library', { category: null });
  const releases = useLive('releases');
  const [first] = useState(present);
  const [base] = useState(() => (first === undefined ? (follows?.form ?? blankForm) : formOf(first)));
  // The order may get a number and a revision from the server meanwhile.
  const seen = present !== undefined && sameValue(formOf(present), base) ? present : first;
  const typed = useFormDraft({
    id:
      follows === undefined
        ? planFormId(user?.userid, first?.planned_orderid ?? 'new')
        : followUpFormId(user?.userid, follows.deviationid),
    schema: typedPlan,
    start: {},
    revisionid: first?.revisionid ?? 0,
  });
  const [form, setForm] = useState(() => restored(base, typed.text, { guides, releases, seen: first }));
  const latest = useRef(form);
  const { restoredFrom, isDirty, forget, began } = typed;
  return {
    form,
    seen,
    isBehind: restoredFrom !== null && ![0, first?.revisionid ?? 0].includes(began.revisionid),
    restoredFrom,
    isDirty,
    forget,
    change: (some) => {
      latest.current = { ...latest.current, ...some };
      setForm(latest.current);
      typed.replace(typedIn(latest.current, base));
    },
  };
}

/** The form of a person that changes a planned order. */
export function planFormId(userid: number | undefined, planned_orderid: string): string {
  return `plan.${userid ?? 0}.${planned_orderid}`;
}

/** The form of a person that plans the follow-up order of a deviation. */
export function followUpFormId(userid: number | undefined, deviationid: string): string {
  return `plan-follow-up.${userid ?? 0}.${deviationid}`;
}

/** How the ids of all forms of plans begin. */
export const planForms = 'plan';

interface Present {
  guides: readonly { guideid: string; title: string }[];
  releases: readonly { releaseid: number; guideid: string }[];
  seen: PlannedOrderView | undefined;
}

/**
 * The form with what was typed. A guide that is no longer on this device has to be chosen again. A release stays only with
 * its guide.
 */
function restored(base: PlanForm, typed: TypedPlan, { guides, releases, seen }: Present): PlanForm {
  const all = { ...base, ...typed };
  const guide = guides.find(({ guideid }) => guideid === all.guideid);
  if (typed.guideid != null && guide === undefined)
    return { ...all, guideid: null, guideWords: '', releaseid: null };
  const isSeen = seen?.guideid === all.guideid && seen.release?.releaseid === all.releaseid;
  const isKnown = releases.some(
    ({ guideid, releaseid }) => guideid === all.guideid && releaseid === all.releaseid,
  );
  const guideWords = typed.guideid == null ? all.guideWords : (guide?.title ?? '');
  return { ...all, guideWords, releaseid: isSeen || isKnown ? all.releaseid : null };
}
