import BetterSqlite3 from 'better-sqlite3';

import { maySee, type GuideRights, type Rights } from './rights.ts';
import { wordsIn } from './words.ts';

/** The stored guides that contain each word, with their readers. */
class WordsOfGuides extends Map<string, GuideRights[]> {
  /** Of the database. */
  readonly version: number;
  readonly rights: Rights = { users: [], members: [] };

  constructor(version: number) {
    super();
    this.version = version;
  }
}

/** Finds words of guides that the server tells people who may not see them. */
export class ServerLeaks {
  readonly #database: string;
  readonly #version: () => number;
  #known: WordsOfGuides | null = null;

  /** `database`: the file, which the server has open; `version` changes with each commit. */
  constructor(database: string, version: () => number) {
    this.#database = database;
    this.#version = version;
  }

  /** Forgets what it read. */
  begin(): void {
    this.#known = null;
  }

  /** Words of guides in a text, if the person may see no guide with that word, each with the person. */
  in(text: string, person: string | null): string[] {
    if (person === null) return [];
    const words = wordsIn(text);
    if (words.length === 0) return [];
    const readers = this.#wordsOfGuides();
    return words
      .filter((word) => readers.get(word)?.every((guide) => !maySee(readers.rights, person, guide)) === true)
      .map((word) => `${word} to ${person}`);
  }

  #wordsOfGuides(): WordsOfGuides {
    const version = this.#version();
    if (this.#known?.version === version) return this.#known;
    const words = new WordsOfGuides(version);
    const connection = new BetterSqlite3(this.#database, { readonly: true });
    try {
      const bodies = connection.prepare("SELECT body FROM documents WHERE collection = 'guides'").all() as {
        body: string;
      }[];
      for (const { body } of bodies) {
        const guide = JSON.parse(body) as GuideRights;
        for (const word of new Set(wordsIn(body))) words.set(word, [...(words.get(word) ?? []), guide]);
      }
      const users = connection.prepare('SELECT userid, username, privileges FROM users').all() as {
        userid: number;
        username: string;
        privileges: string;
      }[];
      words.rights.users = users.map((user) => ({
        ...user,
        privileges: JSON.parse(user.privileges) as string[],
      }));
      words.rights.members = connection
        .prepare('SELECT teamid, userid FROM team_members')
        .all() as Rights['members'];
    } finally {
      connection.close();
    }
    this.#known = words;
    return words;
  }
}
