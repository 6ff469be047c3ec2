/** Prints how much processor time one megabyte of each adversarial text takes: `node test/bench/wikitext.ts`. */
import { renderBlocks, renderLine } from '#shared/formats/wikitext/html.ts';
import { plainText } from '#shared/formats/wikitext/plain-text.ts';
import { fromRichText, toRichText } from '#shared/formats/wikitext/rich-text.ts';
import { adversarialTexts } from '#test/shared/formats/wikitext/adversarial.ts';

const MEGABYTE = 1_000_000;

const columns: readonly [string, (raw: string) => unknown][] = [
  ['blocks', (raw) => renderBlocks(raw)],
  ['line', (raw) => renderLine(raw)],
  ['plain text', (raw) => plainText(raw)],
  ['rich text and back', (raw) => fromRichText(toRichText(raw))],
];

/** Processor time of this thread, so that other programs count as little as possible. */
function milliseconds(action: () => unknown): number {
  const start = process.threadCpuUsage();
  action();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The better of two runs: the first one also compiles. */
function best(action: () => unknown): number {
  return Math.min(milliseconds(action), milliseconds(action));
}

process.stdout.write(`milliseconds for 1 MB      ${columns.map(([name]) => name.padStart(20)).join('')}\n`);
for (const [name, make] of Object.entries(adversarialTexts)) {
  const raw = make(MEGABYTE);
  const cells = columns.map(([, render]) =>
    best(() => render(raw))
      .toFixed(0)
      .padStart(20),
  );
  process.stdout.write(`${name.padEnd(27)}${cells.join('')}\n`);
}
