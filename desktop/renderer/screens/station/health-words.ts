import type { StationHealth } from '#desktop/engine/api/station-records.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { formatDate, formatNumber, formatSince } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';

/** A pair of a name and what is said about it, one sentence a line. */
export type HealthFact = readonly [name: string, said: readonly string[]];

/** A difference that matters to recorded times, ms. */
const clockMatters = 2 * 60_000;

/** The state of a station in words that can be read aloud. `now`: ms since 1970. */
export function healthFacts(health: StationHealth, now: number): HealthFact[] {
  const words = stationText.health;
  return [
    [words.station, [words.named(health.name, health.stationid)]],
    [words.state, troubles(health)],
    [words.contact, [`${formatDate(health.contactAt)} (${formatSince(health.contactAt, now)})`]],
    [words.safe, [health.waitingCount === 0 ? words.allSent : words.allSafe]],
    [words.waiting, waits(health)],
    [words.tries, [formatNumber(health.failedTries)]],
    [words.server, [health.server]],
    [words.version, [health.appVersion]],
  ];
}

function troubles(health: StationHealth): string[] {
  const words = stationText.health;
  const clock = Math.round(health.clockOffset / 60_000);
  const found = [
    words.disk[health.disk],
    health.standing === 'shut-out' ? words.shutOut : null,
    health.isOnline ? null : words.offline(formatDate(health.contactAt)),
    health.trouble && refusedWords(health.trouble),
    Math.abs(health.clockOffset) >= clockMatters ? words.clock(clock) : null,
  ].filter((one) => one !== null);
  return found.length === 0 ? [words.nothing] : found;
}

function waits({ waiting, waitingCount }: StationHealth): string[] {
  const words = stationText.health;
  if (waitingCount === 0) return [words.nothingWaits];
  return waiting.map((one) =>
    [
      words.ofPerson(one.username, one.count, formatDate(one.since)),
      one.needLead > 0 ? words.needLead(one.needLead) : null,
      one.refused > 0 ? words.refused(one.refused) : null,
    ]
      .filter((part) => part !== null)
      .join('; '),
  );
}

/** The same as one text, for a QR code. */
export function healthText(facts: readonly HealthFact[]): string {
  return facts.map(([name, said]) => `${name}: ${said.join(' ')}`).join('\n');
}
