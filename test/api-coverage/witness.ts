import type { Evidence } from '#test/support/api-evidence.ts';

import { isWrite, succeeded, type History } from './history.ts';

type Rule = (write: Evidence, read: Evidence, history: History) => boolean;

/** Whether an answer shows what a write did: one of the rules of README.md, COVERAGE-2. */
export function shows(read: Evidence, write: Evidence, history: History): boolean {
  if (`${read.method} ${read.route}` === `${write.method} ${write.route}`) return false;
  return rulesFor(write).some((rule) => rule(write, read, history));
}

function rulesFor(write: Evidence): Rule[] {
  if (write.route === '/users/reset_password') return [signsInAfterReset];
  if (write.method === 'DELETE' && write.route === '/user/token') return [endsToken];
  const adds = [holdsNew, holdsSaid, appears];
  const deletes = write.method === 'DELETE' || write.route.endsWith('/delete');
  return [...(deletes ? [isNotFound, isGone] : adds), opensWithToken, holdsChanged, differs];
}

const isId = (name: string): boolean => /^\w*ids?=\d+$/i.test(name);
const fieldOf = (leaf: string): string => leaf.slice(0, leaf.indexOf('='));
const valueOf = (leaf: string): string => leaf.slice(leaf.indexOf('=') + 1);
const answersNow = (read: Evidence): boolean => read.reads && succeeded(read);

/** Whose something is stands in nearly every answer: it counts only where people are what is asked for. */
function counts(name: string, read: Evidence): boolean {
  return isOfPeople(read) || !/^(?:user|author|owner|team)id=/.test(name);
}

function isOfPeople({ route }: Evidence): boolean {
  return /^\/(?:users?|teams)(?!.*(?:guides|media|completions|courses|assignments))(?:\/|$)/.test(route);
}

/** COVERAGE-2.1 An id that the write made, a new revision included. */
const holdsNew: Rule = (write, read, history) =>
  answersNow(read) &&
  write.answered.some(
    (name) =>
      isId(name) &&
      counts(name, read) &&
      !write.sent.includes(name) &&
      history.isNew(name, write) &&
      read.answered.includes(name),
  );

/** COVERAGE-2.2 What the write said of a record, in that record; or a text that nobody had used before. */
const holdsSaid: Rule = (write, read, history) => {
  if (!answersNow(read)) return false;
  const isFresh = (name: string): boolean => !isId(name) && history.isNew(name, write);
  return (
    write.said.some((leaf) => holdsLeaf(leaf, write, read)) ||
    write.sent.some((name) => isFresh(name) && read.answered.includes(name) && !read.sent.includes(name))
  );
};

function holdsLeaf(leaf: string, write: Evidence, read: Evidence): boolean {
  // Another id is something that was said only of the record in the path.
  const records = isId(leaf) ? write.named : [...write.sent, ...write.answered];
  return records.some(
    (record) =>
      isId(record) &&
      record !== leaf &&
      counts(record, read) &&
      read.records[record]?.some((one) => one === leaf || hasText(one, leaf)) === true,
  );
}

/** The same text in another field; numbers and switches are in many. */
function hasText(one: string, leaf: string): boolean {
  const value = valueOf(leaf);
  return value.length > 3 && !/^(?:[\d.-]+|true|false|null)$/.test(value) && valueOf(one) === value;
}

/** COVERAGE-2.3 A field of a record that the answer of the write has otherwise than the answers before it. */
const holdsChanged: Rule = (write, read, history) =>
  answersNow(read) &&
  [...new Set([...write.sent, ...write.answered])]
    .filter((name) => isId(name) && counts(name, read))
    .some((record) =>
      (write.records[record] ?? []).some((leaf) => {
        if (fieldOf(leaf) === fieldOf(record) || read.records[record]?.includes(leaf) !== true) return false;
        const earlier = history.earlierValues(write, record, fieldOf(leaf));
        return earlier !== undefined && !earlier.includes(leaf);
      }),
    );

/** COVERAGE-2.4 What the write named stands where it did not stand before. */
const appears: Rule = (write, read, history) => {
  if (!answersNow(read)) return false;
  const before = history.sameQuestionBefore(write, read);
  return (
    before !== undefined &&
    write.sent.some(
      (name) => counts(name, read) && read.answered.includes(name) && !before.answered.includes(name),
    )
  );
};

/** COVERAGE-2.5 The same question has another answer, and nothing else was written between. */
const differs: Rule = (write, read, history) => {
  if (!answersNow(read) || !isRelated(write, read)) return false;
  const before = history.sameQuestionBefore(write, read);
  return before !== undefined && before.digest !== read.digest && history.writesBetween(before, read) === 1;
};

function isRelated(write: Evidence, read: Evidence): boolean {
  return (
    resourceOf(write) === resourceOf(read) ||
    // What is told of people follows from what they do.
    (isOfPeople(read) && write.caller === read.caller) ||
    write.sent.some((name) => counts(name, read) && [...read.sent, ...read.answered].includes(name))
  );
}

/** The first part of a path, in the singular: both `/guide/…` and `/guides/…`. */
export function resourceOf({ route }: Evidence): string | undefined {
  return route.split('/')[1]?.replace(/s$/, '');
}

/** COVERAGE-2.6 What was deleted is not found any more, by its id, by whom it was there for. */
const isNotFound: Rule = (write, read, history) => {
  if (!read.reads || read.status !== 404) return false;
  const isAsked = write.route.endsWith('/delete')
    ? write.sent.some((name) => isId(name) && read.named.includes(name))
    : read.route === write.route && read.path === write.path;
  const wasThere = read.caller === write.caller || history.sameQuestionBefore(write, read) !== undefined;
  return isAsked && wasThere;
};

/** COVERAGE-2.7 What the write named does not stand where it stood before. */
const isGone: Rule = (write, read, history) => {
  if (!answersNow(read)) return false;
  const before = history.sameQuestionBefore(write, read);
  return (
    before !== undefined &&
    write.sent.some(
      (name) => counts(name, read) && before.answered.includes(name) && !read.answered.includes(name),
    )
  );
};

/** COVERAGE-2.8 A token that the write answered opens something. */
const opensWithToken: Rule = (write, read) => answersNow(read) && read.caller === write.grants;

/** COVERAGE-2.8 A token that was ended opens nothing. */
const endsToken: Rule = (write, read) => read.reads && read.status === 401 && read.caller === write.caller;

/** COVERAGE-2.9 A link leaves by mail: whoever has it sets a password, and signs in with the address. */
const signsInAfterReset: Rule = (write, read, history) =>
  read.route === '/user/token' &&
  isWrite(read) &&
  write.said.some((leaf) => leaf.startsWith('email=') && read.said.includes(leaf)) &&
  history
    .writesBefore(read)
    .some((one) => one.route === '/users/reset_password/confirm' && history.isAfter(one, write));
