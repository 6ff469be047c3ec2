import type { Align, Inline } from './tree.ts';
import type { Source } from './scan.ts';
import { isMailAddress, isSafeUrl } from './urls.ts';

/** `[start, end)` in the source text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface Parts {
  /** The first parameter after the name, if any. */
  readonly target: string;
  /** The text to show: the other parameters that are not options, joined. */
  readonly label: Range;
  readonly options: Readonly<Record<string, string>>;
  readonly source: string;
}

type LabelParser = (range: Range) => readonly Inline[];

const NAME = /\[(link|guide|product|mailto|image|video|guidelist)\|/y;
const ADDRESS = /\[(?=https?:\/\/|\/|#)/iy;
const OPTION = /^\s*(\w{1,20})\s*=([^=]*)$/;
const OPTION_NAMES = new Set(['new_window', 'stepid', 'align', 'size', 'format', 'featured']);
/** Maximum number of parameters in a bracket. */
const MAX_PARTS = 32;
const MAX_TITLE = 250;
const SIZES = new Set([
  'mini',
  'thumbnail',
  '140x105',
  '200x150',
  'standard',
  '440x330',
  'medium',
  'large',
  'huge',
]);

/** Parses the bracket at `start` as a link, an image or another inline element; null when it is plain text. */
export function parseDirective(source: Source, start: number, label: LabelParser): Inline | null {
  const close = source.closing[start] ?? 0;
  const next = source.text.charAt(start + 1);
  if (next === 'h' || next === 'H' || next === '/' || next === '#') {
    ADDRESS.lastIndex = start;
    if (!ADDRESS.test(source.text)) return null;
    const parts = readParts(source, { start: start + 1, end: close }, start, false);
    return hasLabel(parts) || next === 'h' || next === 'H' ? buildLink(parts, label) : null;
  }
  if (!'lgpmiv'.includes(next)) return null;
  NAME.lastIndex = start;
  const name = NAME.exec(source.text)?.[1];
  if (name === undefined) return null;
  const parts = readParts(
    source,
    { start: start + name.length + 2, end: close },
    start,
    name === 'guidelist',
  );
  return build(name, parts, label);
}

/** Whether a bracket has a label. A path or fragment is a link only with a label: `[#4]` and `[/quote]` are text. */
function hasLabel({ label }: Parts): boolean {
  return label.start < label.end;
}

/** Splits at bars outside inner brackets; the last of `MAX_PARTS` parts keeps its remaining bars. */
export function splitBars(source: Source, { start, end }: Range): Range[] {
  const ranges: Range[] = [];
  let from = start;
  for (let at = start; at < end && ranges.length < MAX_PARTS - 1; at++) {
    const code = source.text.charCodeAt(at);
    if (code === 0x5b) {
      at = Math.max(at, source.closing[at] ?? 0);
    } else if (code === 0x7c) {
      ranges.push({ start: from, end: at });
      from = at + 1;
    }
  }
  ranges.push({ start: from, end });
  return ranges;
}

/** Parses `key=value` if the key is a known option of brackets (any key if `all`). */
export function readOption(part: string, all = false): readonly [string, string] | null {
  const match = part.length > 300 ? null : OPTION.exec(part);
  const key = match?.[1]?.toLowerCase();
  if (match === null || key === undefined || !(all || OPTION_NAMES.has(key))) return null;
  return [key, (match[2] ?? '').trim()];
}

function readParts(source: Source, range: Range, start: number, allOptions: boolean): Parts {
  const [first, ...rest] = splitBars(source, range);
  const options: Record<string, string> = Object.create(null);
  const labels: Range[] = [];
  const optional = allOptions && first !== undefined ? [first, ...rest] : rest;
  for (const part of optional) {
    const option = readOption(source.text.slice(part.start, part.end), allOptions);
    if (option === null) labels.push(part);
    else options[option[0]] = option[1];
  }
  return {
    target: source.text.slice(first?.start, first?.end).trim(),
    label: { start: labels[0]?.start ?? range.end, end: labels.at(-1)?.end ?? range.end },
    options,
    source: source.text.slice(start, range.end + 1),
  };
}

function build(name: string, parts: Parts, label: LabelParser): Inline | null {
  if (name === 'link') return buildLink(parts, label);
  if (name === 'guide') return buildGuide(parts, label);
  if (name === 'product') return buildProduct(parts, label);
  if (name === 'mailto') return buildMail(parts, label);
  if (name === 'image') return buildImage(parts);
  if (name === 'video') return buildVideo(parts);
  return { type: 'guidelist', options: parts.options, source: parts.source };
}

function buildLink(parts: Parts, label: LabelParser): Inline | null {
  if (parts.target.includes('[') || !isSafeUrl(parts.target)) return null;
  return { type: 'link', url: parts.target, newWindow: opensWindow(parts), children: label(parts.label) };
}

function buildGuide(parts: Parts, label: LabelParser): Inline | null {
  const guide = readId(parts.target) ?? readTitle(parts.target);
  if (guide === null) return null;
  const stepid = readId(parts.options['stepid'] ?? '');
  const { source } = parts;
  return {
    type: 'guide',
    guide,
    stepid,
    newWindow: opensWindow(parts),
    children: label(parts.label),
    source,
  };
}

function buildProduct(parts: Parts, label: LabelParser): Inline | null {
  const code = parts.target;
  if (!/^[\w .-]{1,100}$/.test(code)) return null;
  const { source } = parts;
  return { type: 'product', code, newWindow: opensWindow(parts), children: label(parts.label), source };
}

function buildMail(parts: Parts, label: LabelParser): Inline | null {
  if (!isMailAddress(parts.target)) return null;
  return { type: 'mailto', address: parts.target, children: label(parts.label) };
}

function buildImage(parts: Parts): Inline | null {
  const imageid = readId(parts.target);
  if (imageid === null) return null;
  return { type: 'image', imageid, align: readAlign(parts, 'left'), size: readSize(parts, 'standard') };
}

function buildVideo(parts: Parts): Inline | null {
  if (!isSafeUrl(parts.target) || !/^https?:/i.test(parts.target)) return null;
  const { source } = parts;
  return {
    type: 'video',
    url: parts.target,
    align: readAlign(parts, 'center'),
    size: readSize(parts, 'large'),
    source,
  };
}

function opensWindow(parts: Parts): boolean {
  return parts.options['new_window'] === 'true';
}

function readAlign(parts: Parts, otherwise: Align): Align {
  const align = parts.options['align'];
  return align === 'left' || align === 'center' || align === 'right' ? align : otherwise;
}

function readSize(parts: Parts, otherwise: string): string {
  const size = parts.options['size'] ?? '';
  return SIZES.has(size) ? size : otherwise;
}

function readTitle(text: string): string | null {
  return text === '' || text.length > MAX_TITLE || /[[\n]/.test(text) ? null : text;
}

function readId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
