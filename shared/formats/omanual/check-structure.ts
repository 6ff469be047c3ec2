import {
  categoryRules,
  guideRules,
  type ContentRule,
  type ElementRule,
  type SchemaRules,
  type SequencePart,
  type ValueType,
} from './schema-rules.ts';
import { elementsIn, textIn, type XmlElement } from './xml-tree.ts';

/** Called for each problem. */
export type Complain = (code: string, element: XmlElement, message: string) => void;

const namespace = 'http://omanual.com/';

/** Checks a document against the schemas of version 1.0, with our own implementation of their rules. */
export function checkStructure(root: XmlElement, complain: Complain): void {
  const rules = root.name === 'guide' ? guideRules : categoryRules;
  checkElement(root, rules, complain);
}

function checkElement(element: XmlElement, rules: SchemaRules, complain: Complain): void {
  const { name } = element;
  // Reported once, not for every descendant.
  if (element.namespace !== namespace && element.namespace !== element.parent?.namespace) {
    const where = element.namespace === '' ? 'no namespace' : `the namespace ${element.namespace}`;
    complain('namespace', element, `<${name}> is in ${where}, not in ${namespace}.`);
  }
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) {
    complain('element', element, `The format has no element <${name}>.`);
    return;
  }
  checkAttributes(element, rule, complain);
  checkContent(element, rule.content, complain);
  for (const child of elementsIn(element)) checkElement(child, rules, complain);
}

function checkAttributes(element: XmlElement, { attributes }: ElementRule, complain: Complain): void {
  for (const [name, value] of element.attributes) {
    if (name === 'xmlns' || name.startsWith('xmlns:') || isSchemaHint(name)) continue;
    const type = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (type === undefined) complain('attribute', element, `<${element.name}> has no attribute ${name}.`);
    else checkValue(value, type.replace('!', '') as ValueType, `${element.name}/@${name}`, element, complain);
  }
  for (const [name, type] of Object.entries(attributes)) {
    if (type.endsWith('!') && !element.attributes.has(name))
      complain('attribute-missing', element, `<${element.name}> needs the attribute ${name}.`);
  }
}

/** Whether an attribute is a schema hint, which every schema allows. */
function isSchemaHint(name: string): boolean {
  return name === 'xsi:schemaLocation' || name === 'xsi:noNamespaceSchemaLocation';
}

function checkContent(element: XmlElement, content: ContentRule, complain: Complain): void {
  const children = elementsIn(element);
  const isMixed = content.kind === 'any' || content.kind === 'value' || content.mixed;
  if (!isMixed && element.children.some((child) => typeof child === 'string' && /[^ \t\r\n]/.test(child)))
    complain('text', element, `<${element.name}> holds text, where only elements may stand.`);
  switch (content.kind) {
    case 'value':
      for (const child of children) complain('element', child, `<${element.name}> may hold text only.`);
      if (children.length === 0) checkValue(textIn(element), content.type, element.name, element, complain);
      return;
    case 'all':
      checkAll(element, children, content, complain);
      return;
    case 'sequence':
      checkSequence(element, children, content.parts, complain);
      return;
    case 'any':
      return;
  }
}

function checkAll(
  element: XmlElement,
  children: readonly XmlElement[],
  content: Extract<ContentRule, { kind: 'all' }>,
  complain: Complain,
): void {
  const seen = new Set<string>();
  for (const child of children) {
    if (!content.allowed.includes(child.name))
      complain('element', child, `<${child.name}> may not stand in <${element.name}>.`);
    else if (seen.has(child.name))
      complain('element-twice', child, `<${element.name}> has <${child.name}> twice.`);
    seen.add(child.name);
  }
  if (content.mayBeEmpty && children.length === 0) return;
  for (const name of content.required) {
    if (!seen.has(name))
      complain('element-missing', element, `<${element.name}> needs the element <${name}>.`);
  }
}

function checkSequence(
  element: XmlElement,
  children: readonly XmlElement[],
  parts: readonly SequencePart[],
  complain: Complain,
): void {
  let at = 0;
  for (const { names, least } of parts) {
    const isHtml = names.length > 3;
    const start = at;
    let chosen = names.find(({ name }) => name === children[at]?.name);
    const most = chosen?.most ?? 0;
    while (chosen !== undefined && at - start < most) {
      at += 1;
      const next = names.find(({ name }) => name === children[at]?.name);
      chosen = isHtml || next === chosen ? next : undefined;
    }
    if (at - start < least) {
      const wanted = names.map(({ name }) => `<${name}>`).join(' or ');
      complain('element-missing', element, `<${element.name}> needs the element ${wanted} here.`);
    }
  }
  const extra = children[at];
  if (extra !== undefined)
    complain('element', extra, `<${extra.name}> may not stand here in <${element.name}>.`);
}

const words: Readonly<Record<ValueType, string>> = {
  string: 'a text',
  integer: 'a whole number',
  positive: 'a whole number from 1 on',
  decimal: 'a number',
  uri: 'an address',
  dateTime: 'a date with time, such as 2024-01-02T03:04:05Z',
};

function checkValue(
  value: string,
  type: ValueType,
  what: string,
  element: XmlElement,
  complain: Complain,
): void {
  const collapsed = value.replaceAll(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
  if (!isOfType(collapsed, type))
    complain(
      'value',
      element,
      `${what} is ${JSON.stringify(collapsed.slice(0, 80))}, which is not ${words[type]}.`,
    );
}

function isOfType(value: string, type: ValueType): boolean {
  switch (type) {
    case 'string':
      return true;
    case 'integer':
      return /^[+-]?\d{1,18}$/.test(value);
    case 'positive':
      return /^\+?\d{1,18}$/.test(value) && Number(value) > 0;
    case 'decimal':
      return /^[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})$/.test(value);
    case 'uri':
      return isUri(value);
    case 'dateTime':
      return isDateTime(value);
  }
}

/** Whether a value is an address or a path. Invalid characters count as percent-encoded, as in `xs:anyURI`. */
function isUri(value: string): boolean {
  if (/%(?![\da-f]{2})/i.test(value) || value.split('#').length > 2) return false;
  const scheme = /^([^/?#]*?):/.exec(value)?.[1];
  if (scheme !== undefined && !/^[a-z][a-z\d+.-]*$/i.test(scheme)) return false;
  const authority = /^(?:[a-z][a-z\d+.-]*:)?\/\/([^/?#]*)/i.exec(value)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.startsWith('[') ? /^\[[^[\]]*\](?::\d*)?$/.test(host) : /^[^:[\]]*(?::\d*)?$/.test(host);
}

function isDateTime(value: string): boolean {
  const found =
    /^-?(\d{4,9})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](\d{2}):(\d{2}))?$/.exec(value);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  const isTime = (hour < 24 && minute < 60 && second < 60) || (hour === 24 && minute === 0 && second === 0);
  const isZone = zoneMinute < 60 && zoneHour * 60 + zoneMinute <= 14 * 60;
  return year > 0 && day >= 1 && day <= days && isTime && isZone;
}
