import { problems } from './problems.ts';
import type { Words } from './words.ts';

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The English words of the page. */
export const english: Words = {
  locale: 'en',
  title: 'Check an oManual archive',
  lead: 'This page checks archives and documents of guides (oManual, IEEE 1874): .omanual, .zip and .xml. The file stays on this device. It is not uploaded.',
  drop: 'Drop a file here, or',
  choose: 'Choose a file',
  limits: 'A check ends by itself after half a minute, later for large files.',
  checking: (name) => `Checking ${name} …`,
  stop: 'Stop',
  verdicts: {
    valid: 'No problems found',
    advice: 'Valid, with advice',
    invalid: 'Not valid',
    unfinished: 'Not checked',
  },
  explained: {
    valid: 'The file follows the standard and its advice.',
    advice:
      'The file can be used. What follows is against the advice of the standard, or had to be interpreted.',
    invalid:
      'The file breaks the standard, or is damaged or dangerous. Readers will lose something of it, or refuse it.',
  },
  contents: (version, guides, categories) =>
    [
      `Version ${version}: ${count(guides, 'guide', 'guides')}`,
      ...(categories === 0 ? [] : [count(categories, 'category', 'categories')]),
    ].join(', '),
  more: (shown) => `Only the first ${shown} problems are listed. Mend these, and check again.`,
  error: 'Error',
  advice: 'Advice',
  toDo: 'What to do',
  places: (number) => count(number, 'place', 'places'),
  package: 'The file as a whole',
  late: 'The check took too long and was stopped. The file is very large, or made to keep readers busy. The command line has no limit of time.',
  stopped: 'You stopped the check.',
  failed: (reason) => `The check itself failed (${reason}).`,
  unreadable:
    'The file cannot be read. It may have been moved or changed, or it is a folder. Choose it again.',
  one: (name) => `One file at a time: only ${name} was checked.`,
  commandLine: 'The same check on the command line, for any number of files:',
  problems,
  sentence: (text) => text,
};
