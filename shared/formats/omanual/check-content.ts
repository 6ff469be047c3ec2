import { bullets, difficulties } from '#shared/model/guide.ts';

import { attributeText, dateSeconds, wholeNumber } from './field-text.ts';
import { hasEscapedMarkup } from './loose-html.ts';
import { elementIn, elementsIn, textIn, type XmlElement } from './xml-tree.ts';

/** `error`: readers will lose something, or the standard forbids it. `warning`: against the standard's advice. */
export type CheckRank = 'error' | 'warning';

/** Called for each problem. */
export type CheckComplain = (rank: CheckRank, code: string, element: XmlElement, message: string) => void;

const longestLine = 500;
const longestSummary = 255;
const embedTypes = ['photo', 'video', 'link', 'rich'];

/** Checks what the schemas do not in a document of version 1.0, except paths and pictures. */
export function checkContent(root: XmlElement, complain: CheckComplain): void {
  checkLocale(root, complain);
  checkDates(root, complain);
  checkHead(root, complain);
  for (const element of everyElement(root)) {
    checks.get(element.name)?.(element, complain);
    checkLinks(element, complain);
  }
}

/** The element and all its descendants in document order. */
export function* everyElement(root: XmlElement): Generator<XmlElement> {
  yield root;
  for (const child of elementsIn(root)) yield* everyElement(child);
}

const checks: ReadonlyMap<string, (element: XmlElement, complain: CheckComplain) => void> = new Map([
  ['steps', checkSteps],
  ['line', checkLine],
  ['media', checkMedia],
  ['embed', checkEmbed],
  ['description', checkMarkup],
  ['contents', checkMarkup],
  ['introduction', checkMarkup],
  ['conclusion', checkMarkup],
]);

function checkLocale(root: XmlElement, complain: CheckComplain): void {
  const locale = attributeText(root, 'locale');
  if (!/^(?:[a-z]{2,3}|[a-z]{4,8})(?:-[a-z\d]{1,8})*$/i.test(locale))
    complain(
      'warning',
      'locale',
      root,
      `The locale ${JSON.stringify(locale)} is no language tag such as en or pt-br.`,
    );
}

function checkHead(root: XmlElement, complain: CheckComplain): void {
  const summary = elementIn(root, 'summary');
  if (summary !== undefined && Array.from(textIn(summary).trim()).length > longestSummary)
    complain('warning', 'summary-long', summary, `The summary has more than ${longestSummary} characters.`);
  const difficulty = elementIn(root, 'difficulty');
  const text = difficulty === undefined ? '' : textIn(difficulty).trim();
  if (difficulty !== undefined && !difficulties.some((one) => one === text))
    complain('warning', 'difficulty', difficulty, `The difficulty is none of ${difficulties.join(', ')}.`);
}

function checkDates(root: XmlElement, complain: CheckComplain): void {
  const dates = ['created_date', 'modified_date'].map((name) => {
    const element = elementIn(root, name);
    const date = element === undefined ? null : dateSeconds(textIn(element));
    if (element !== undefined && date !== null && !date.hasZone)
      complain('warning', 'date-zone', element, 'The date has no time zone.');
    return date?.seconds;
  });
  const [created, modified] = dates;
  if (created !== undefined && modified !== undefined && created > modified)
    complain('warning', 'date-order', root, 'The guide was changed before it was made.');
}

function checkSteps(element: XmlElement, complain: CheckComplain): void {
  for (const [index, step] of elementsIn(element, 'step').entries()) {
    const number = wholeNumber(attributeText(step, 'number'));
    if (number === index + 1) continue;
    const shown = number ?? 'none';
    complain(
      'warning',
      'step-number',
      step,
      `The number of the step should be ${index + 1}; it is ${shown}.`,
    );
    return;
  }
}

function checkLine(element: XmlElement, complain: CheckComplain): void {
  const bullet = attributeText(element, 'bullet');
  const known = bullets.filter((one) => one !== 'light_blue');
  if (element.attributes.has('bullet') && !known.some((one) => one === bullet))
    complain(
      'error',
      'bullet',
      element,
      `The bullet ${JSON.stringify(bullet)} is none of ${known.join(', ')}.`,
    );
  const level = wholeNumber(attributeText(element, 'level'));
  if (level !== null && (level < 0 || level > 3))
    complain('warning', 'level', element, `The level of the line is ${level}; it should be 0 to 3.`);
  if (Array.from(textIn(element)).length > longestLine)
    complain('warning', 'line-long', element, `The line has more than ${longestLine} characters.`);
  checkMarkup(element, complain);
}

function checkMarkup(element: XmlElement, complain: CheckComplain): void {
  const own = element.children.filter((child) => typeof child === 'string').join(' ');
  if (hasEscapedMarkup(own))
    complain('warning', 'escaped-markup', element, `<${element.name}> holds markup that is escaped as text.`);
}

function checkMedia(element: XmlElement, complain: CheckComplain): void {
  const type = attributeText(element, 'type');
  const [child] = elementsIn(element);
  if (child !== undefined && child.name !== type)
    complain(
      'error',
      'media-type',
      element,
      `The media is called ${JSON.stringify(type)} and holds <${child.name}>.`,
    );
}

function checkEmbed(element: XmlElement, complain: CheckComplain): void {
  const type = attributeText(element, 'type');
  if (!embedTypes.includes(type))
    complain(
      'warning',
      'embed-type',
      element,
      `The type of an embedded page is one of ${embedTypes.join(', ')}.`,
    );
  if (attributeText(element, 'version') !== '1.0')
    complain('warning', 'embed-version', element, 'The version of an embedded page (oEmbed) is 1.0.');
}

function checkLinks(element: XmlElement, complain: CheckComplain): void {
  for (const [name, value] of element.attributes) {
    const isAddress = name === 'href' || name.endsWith('url');
    // oxlint-disable-next-line no-control-regex -- browsers skip them in front of a scheme
    const plain = value.replaceAll(/[\u0000-\u0020]/g, '');
    if (isAddress && /^(?:javascript|vbscript|data):/i.test(plain))
      complain(
        'error',
        'script-link',
        element,
        `The attribute ${name} of <${element.name}> runs a script or holds data.`,
      );
  }
}
