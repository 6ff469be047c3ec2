import { useLocation } from 'wouter';

import { formatNumber } from '#desktop/renderer/text/format.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { Grid } from '#desktop/renderer/ui/layout.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useNow } from '#desktop/renderer/use-now.ts';
import { deviationGroups, durationGroups } from '#shared/api/reports.ts';

import { GuideField, PersonField, TeamField } from '../order-history/filter-fields.tsx';
import { FieldChoice } from './field-choice.tsx';
import { daysOffered, faultOf, reportHref, type ReportPlace } from './report-place.ts';

/** The choice of a first and a last day. */
const otherDays = 'other';

interface FilterProps {
  place: ReportPlace;
  /** Leads and administrators choose among people. */
  isLead: boolean;
}

interface PartProps extends Pick<FilterProps, 'place'> {
  change: (part: Partial<ReportPlace>) => void;
}

/** The filters of a report. Each change shows its figures at once, and is kept in the address. */
export function ReportFilter({ place, isLead }: FilterProps) {
  const [, navigate] = useLocation();
  const change = (part: Partial<ReportPlace>) =>
    navigate(reportHref({ ...place, ...part }), { replace: true });
  return (
    <Card as="section">
      <Grid columns="narrow">
        {place.report === 'numbers' && <FieldChoice place={place} change={change} />}
        <GroupField place={place} change={change} />
        <DaysField place={place} change={change} />
        <GuideField filter={place} change={change} />
        {isLead && <PersonField filter={place} change={change} />}
        <TeamField filter={place} change={change} />
      </Grid>
    </Card>
  );
}

function GroupField({ place, change }: PartProps) {
  const { report, durationsBy, deviationsBy } = place;
  if (report === 'durations')
    return (
      <SelectField
        label={reportText.by}
        choices={durationGroups.map((id) => ({ id, name: reportText.durations.groups[id] }))}
        value={durationsBy}
        onChange={(id) => change({ durationsBy: durationGroups.find((one) => one === id) ?? durationsBy })}
        placeholder={reportText.by}
      />
    );
  if (report === 'deviations')
    return (
      <SelectField
        label={reportText.by}
        choices={deviationGroups.map((id) => ({ id, name: reportText.deviations.groups[id] }))}
        value={deviationsBy}
        onChange={(id) => change({ deviationsBy: deviationGroups.find((one) => one === id) ?? deviationsBy })}
        placeholder={reportText.by}
      />
    );
  return null;
}

function DaysField({ place: { days, from, to }, change }: PartProps) {
  const now = useNow();
  const fault = faultOf({ days, from, to }, now);
  const isOther = from !== undefined || to !== undefined;
  const offered = [...new Set([...daysOffered, days])].toSorted((a, b) => a - b);
  return (
    <>
      <SelectField
        label={reportText.time}
        choices={[
          ...offered.map((one) => ({
            id: String(one),
            name: reportText.days[one] ?? reportText.someDays(formatNumber(one)),
          })),
          { id: otherDays, name: reportText.otherDays },
        ]}
        value={isOther ? otherDays : String(days)}
        onChange={(id) =>
          change(
            id === otherDays
              ? { from: isoDay(Date.now() - days * 24 * 3_600_000), to: isoDay(Date.now()) }
              : { days: Number(id), from: undefined, to: undefined },
          )
        }
        placeholder={reportText.time}
      />
      {isOther && (
        <>
          <TextField
            kind="date"
            label={reportText.from}
            value={from ?? ''}
            onChange={(day) => change({ from: day || undefined })}
            error={fault?.field === 'from' ? fault.words : undefined}
          />
          <TextField
            kind="date"
            label={reportText.to}
            value={to ?? ''}
            onChange={(day) => change({ to: day || undefined })}
            error={fault?.field === 'to' ? fault.words : undefined}
          />
        </>
      )}
    </>
  );
}

/** A day as `2026-11-22`, in the time zone of this device. */
function isoDay(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
