import type { ReactNode } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import styles from './planned.module.css';
import { typedPlan } from './typed-plan.ts';

interface LeftNoticeProps {
  /** Of the form. */
  id: string;
  title: string;
  words: string;
  /** The way back into the form, if there is one. */
  action?: ReactNode;
}

/** What was typed into a form and not saved, with the ways to continue or to discard it. */
export function LeftNotice({ id, title, words, action }: LeftNoticeProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  return (
    <div className={classNames(styles, 'left')}>
      <Notice
        tone="info"
        title={title}
        action={
          <Row>
            {action}
            <Button onPress={() => act(() => actions.keepForm(id, null))} isPending={busy}>
              {text.pages.discard}
            </Button>
          </Row>
        }
      >
        {words}
      </Notice>
    </div>
  );
}

/** The words that a planner typed into the form of a plan; '' if there are none. */
export function leftWords(typed: unknown): string {
  const { data } = typedPlan.safeParse(typed);
  const words = [data?.workorderid, data?.serials, data?.note];
  return words.filter((one) => one !== undefined && one !== '').join(' · ');
}
