import { ChevronLeft } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './work-order-screen.module.css';

/** The way back to the list of work orders, above the heading of a page. */
export function AllOrdersLink() {
  return (
    <div className={classNames(styles, 'over')}>
      <ButtonLink tone="quiet" href="/work-orders" icon={<ChevronLeft aria-hidden="true" />}>
        {text.workOrders.all}
      </ButtonLink>
    </div>
  );
}
