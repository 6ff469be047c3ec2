import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { LeftNotice, leftWords } from './left-notice.tsx';
import { followUpFormId, planForms, planFormId } from './use-plan-form.ts';

interface LeftPlansProps {
  /** The dialog that is open; its own text is not shown beside it. */
  open: 'plan' | 'import' | null;
  onOpen: (which: 'plan' | 'import') => void;
}

/**
 * What was typed or chosen for planned orders and left: a new order, a file, a follow-up order, or a change of an order that
 * this person does not see any more. Changes of other orders are at the orders.
 */
export function LeftPlans({ open, onOpen }: LeftPlansProps) {
  const { user } = useLiveSoon('session') ?? { user: null };
  const forms = useLiveSoon('unsavedForms', planForms) ?? [];
  const planned = useLiveSoon('plannedOrders');
  const change = planFormId(user?.userid, '');
  const followUp = followUpFormId(user?.userid, '');
  const atOrders = new Set((planned ?? []).map((one) => `${change}${one.leads ? one.planned_orderid : ''}`));
  if (planned === undefined) return null;
  return forms.map(({ id, form: { typed } }) => {
    const words = leftWords(typed) === '' ? text.planned.leftHint : leftWords(typed);
    const goOn = (which: 'plan' | 'import') => (
      <Button onPress={() => onOpen(which)}>{text.planned.goOn}</Button>
    );
    const { left, leftFile, leftFollowUp, leftElsewhere, toDeviations } = text.planned;
    if (id === `${change}new`)
      return open !== 'plan' && <LeftNotice key={id} {...{ id, words }} title={left} action={goOn('plan')} />;
    if (id === planFileId(user?.userid))
      return (
        open !== 'import' && (
          <LeftNotice key={id} {...{ id, words }} title={leftFile} action={goOn('import')} />
        )
      );
    if (id.startsWith(followUp)) {
      const action = <ButtonLink href="/deviations">{toDeviations}</ButtonLink>;
      return <LeftNotice key={id} {...{ id, words, action }} title={leftFollowUp} />;
    }
    if (!id.startsWith(change) || atOrders.has(id)) return null;
    return <LeftNotice key={id} {...{ id, words }} title={leftElsewhere} />;
  });
}

/** The form with a file of plans. */
export function planFileId(userid: number | undefined): string {
  return `plan-csv.${userid ?? 0}`;
}
