import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import type { Station } from '#shared/model/station.ts';

const tones: Record<Station['status'], Tone> = { waiting: 'neutral', enrolled: 'ok', revoked: 'danger' };

/** Without contact for so long, a station is likely cut off, ms. */
const longSilent = 60 * 60_000;

/** The standing of a station in words. */
export function StationStanding({ station, now }: { station: Station; now: number }) {
  const isSilent =
    station.status === 'enrolled' &&
    !station.is_connected &&
    (station.contact_date === null || now - station.contact_date * 1000 > longSilent);
  return (
    <>
      <Badge tone={isSilent ? 'warn' : tones[station.status]} look="dot">
        {station.is_connected
          ? stationAdminText.connected
          : isSilent
            ? stationAdminText.silent
            : stationAdminText.statuses[station.status]}
      </Badge>
      {station.former_waiting > 0 && (
        <Badge tone="warn">{stationAdminText.formerWait(station.former_waiting)}</Badge>
      )}
    </>
  );
}

/** When it was last heard of. */
export function contactWords({ contact_date }: Station, now: number): string {
  return contact_date === null
    ? stationAdminText.never
    : stationAdminText.contact(formatSince(contact_date * 1000, now));
}

/** What waits on its device, as it said; '' if it has not said. */
export function waitingWords({ waiting }: Station, now: number): string {
  if (waiting === null) return '';
  if (waiting.count === 0) return stationAdminText.nothingWaits;
  return stationAdminText.waits(
    waiting.count,
    waiting.since === null ? null : formatSince(waiting.since * 1000, now),
  );
}

/** The same where a name says what it is about; null if the device has not said. */
export function waitingFact({ waiting }: Station, now: number): string | null {
  if (waiting === null) return null;
  if (waiting.count === 0) return stationAdminText.nothing;
  return stationAdminText.waitsSince(
    waiting.count,
    waiting.since === null ? null : formatSince(waiting.since * 1000, now),
  );
}
