import type { Core } from './core.ts';
import { factsOf } from './log-work.ts';
import type { NotedEvent } from '../journal/support-log.ts';

/** Age of the oldest sent calls that are listed, ms. */
const listedLife = 30 * 24 * 60 * 60_000;

/** The log of this device as text: owner, events, sent calls and waiting calls (OUTBOX-55). */
export async function supportLog(
  core: Pick<Core, 'environment' | 'log' | 'work' | 'outbox' | 'leaving' | 'journal'>,
): Promise<{ filename: string; text: string }> {
  const now = core.environment.now();
  const owner = core.work.owner();
  const events = await core.log.read(core.work.home());
  const sent = owner === null ? [] : await core.leaving.sentCalls();
  const lines = [
    `Log of ${timeOf(now)}`,
    ...(owner === null
      ? ['Nobody is signed in.']
      : [
          factLine({
            origin: owner.origin,
            server: owner.server,
            account: owner.account,
            userid: owner.userid,
          }),
        ]),
    '',
    'Events',
    ...events.map(eventLine),
    '',
    'Taken by the server',
    ...sent
      .filter(({ doneAt }) => now - (doneAt ?? now) <= listedLife)
      .map((call) => {
        const { key, kind, record } = factsOf(call);
        const made = Object.values(call.created).join(',');
        const answer = { key, kind, record, place: call.doneSeq, ...(made === '' ? {} : { made }) };
        return `${timeOf(call.doneAt ?? call.at)}  taken  ${factLine(answer)}`;
      }),
    '',
    'Waiting',
    ...core.outbox.present().map((call) => `${timeOf(call.at)}  waits  ${factLine(factsOf(call))}`),
    '',
  ];
  return { filename: `log-${timeOf(now).slice(0, 10)}.txt`, text: lines.join('\n') };
}

function eventLine({ at, what, facts }: NotedEvent): string {
  return `${timeOf(at)}  ${what}  ${factLine(facts)}`.trimEnd();
}

function factLine(facts: Record<string, string | number | boolean | null | undefined>): string {
  return Object.entries(facts)
    .flatMap(([name, value]) =>
      value === null || value === undefined ? [] : `${name}=${plain(String(value))}`,
    )
    .join('  ');
}

/** Puts a text with spaces in quotes. */
function plain(text: string): string {
  return /[\s"]/.test(text) ? JSON.stringify(text) : text;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
