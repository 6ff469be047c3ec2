import { useLocation } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { auditText } from '#desktop/renderer/text/audit.ts';
import { orderHistoryText } from '#desktop/renderer/text/en/order-history.ts';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { Grid } from '#desktop/renderer/ui/layout.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { entryStatuses } from '#shared/model/work-log.ts';

import { anything, GuideField, PersonField, TeamField } from './filter-fields.tsx';
import { historyHref, type HistoryFilter } from './history-query.ts';
import styles from './order-history.module.css';

interface FormProps {
  filter: HistoryFilter;
}

/** The filters. Each change shows its orders at once, and is kept in the address. */
export function HistoryFilterForm({ filter }: FormProps) {
  const [, navigate] = useLocation();
  const change = (part: HistoryFilter) => navigate(historyHref({ ...filter, ...part }), { replace: true });
  return (
    <Card as="section" pad="roomy">
      <Grid columns="medium">
        <PersonField filter={filter} change={change} />
        <TeamField filter={filter} change={change} />
        <GuideField filter={filter} change={change} />
        <SelectField
          label={orderHistoryText.state}
          choices={[
            { id: anything, name: orderHistoryText.anyState },
            ...entryStatuses.map((id) => ({ id, name: text.workOrders.states[id] })),
          ]}
          value={filter.status ?? anything}
          onChange={(id) => change({ status: entryStatuses.find((one) => one === id) })}
          placeholder={orderHistoryText.anyState}
        />
        <TextField
          kind="date"
          label={orderHistoryText.from}
          value={filter.from ?? ''}
          onChange={(from) => change({ from: from || undefined })}
        />
        <TextField
          kind="date"
          label={orderHistoryText.to}
          value={filter.to ?? ''}
          onChange={(to) => change({ to: to || undefined })}
          error={isBackwards(filter) ? auditText.badDays : undefined}
        />
        <div className={classNames(styles, 'check')}>
          <CheckboxField
            label={orderHistoryText.deviating}
            value={filter.deviating === true}
            onChange={(isOn) => change({ deviating: isOn || undefined })}
          />
        </div>
      </Grid>
    </Card>
  );
}

function isBackwards({ from = '', to = '' }: HistoryFilter): boolean {
  return from !== '' && to !== '' && to < from;
}
