import type { Problems } from './problems.ts';

/** The words of the page in one language. */
export interface Words {
  locale: 'en' | 'de';
  title: string;
  lead: string;
  drop: string;
  choose: string;
  limits: string;
  checking: (name: string) => string;
  stop: string;
  /** What the file is, by the worst that was found. */
  verdicts: Record<'valid' | 'advice' | 'invalid' | 'unfinished', string>;
  explained: Record<'valid' | 'advice' | 'invalid', string>;
  contents: (version: string, guides: number, categories: number) => string;
  more: (shown: number) => string;
  error: string;
  advice: string;
  toDo: string;
  places: (count: number) => string;
  package: string;
  late: string;
  stopped: string;
  failed: (reason: string) => string;
  unreadable: string;
  one: (name: string) => string;
  commandLine: string;
  problems: Problems;
  /** A sentence of the checker in this language. */
  sentence: (english: string) => string;
}
