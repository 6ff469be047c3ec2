import BetterSqlite3 from 'better-sqlite3';

import {
  maySee,
  maySeeOrder,
  maySeePlanned,
  type GuideRights,
  type OrderRights,
  type PlannedRights,
  type Rights,
} from './rights.ts';
import { wordsIn } from './words.ts';

/** Whether a person may see a record. */
type Sees = (person: string) => boolean;

/** The stored guides, work orders, deviations and planned orders that contain each word, with their readers. */
class WordsOfRecords extends Map<string, Sees[]> {
  /** Of the database. */
  readonly version: number;
  readonly rights: Rights = { users: [], members: [], teams: [], stations: [] };

  constructor(version: number) {
    super();
    this.version = version;
  }
}

/** Finds words of guides, work orders, deviations and planned orders that the server tells people who may not see them. */
export class ServerLeaks {
  readonly #database: string;
  readonly #version: () => number;
  #known: WordsOfRecords | null = null;

  /** `database`: the file, which the server has open; `version` changes with each commit. */
  constructor(database: string, version: () => number) {
    this.#database = database;
    this.#version = version;
  }

  /** Forgets what it read. */
  begin(): void {
    this.#known = null;
  }

  /** Words of records in a text, if the person may see no record with that word, each with the person. */
  in(text: string, person: string | null): string[] {
    if (person === null) return [];
    const words = wordsIn(text);
    if (words.length === 0) return [];
    const readers = this.#wordsOfRecords();
    return words
      .filter((word) => readers.get(word)?.every((sees) => !sees(person)) === true)
      .map((word) => `${word} to ${person}`);
  }

  #wordsOfRecords(): WordsOfRecords {
    const version = this.#version();
    if (this.#known?.version === version) return this.#known;
    const words = new WordsOfRecords(version);
    const { rights } = words;
    const connection = new BetterSqlite3(this.#database, { readonly: true });
    try {
      const rows = <T>(query: string): T[] => connection.prepare<[], T>(query).all();
      const bodies = (collection: string): { id: string; body: string }[] =>
        rows(`SELECT id, body FROM documents WHERE collection = '${collection}'`);
      const note = (body: string, sees: Sees): void => {
        for (const word of new Set(wordsIn(body))) words.set(word, [...(words.get(word) ?? []), sees]);
      };
      const guides = new Map<number, GuideRights>();
      for (const { id, body } of bodies('guides')) {
        const guide = JSON.parse(body) as GuideRights;
        guides.set(Number(id), guide);
        note(body, (person) => maySee(rights, person, guide));
      }
      const orders = new Map<number, Sees>();
      for (const { id, body } of bodies('workLog')) {
        const order = JSON.parse(body) as OrderRights & { guideid: number };
        const sees: Sees = (person) => maySeeOrder(rights, person, order, guides.get(order.guideid));
        orders.set(Number(id), sees);
        note(body, sees);
      }
      for (const { body } of bodies('deviations')) {
        const sees = orders.get((JSON.parse(body) as { entryid: number }).entryid);
        note(body, sees ?? (() => false));
      }
      for (const { body } of bodies('plannedOrders')) {
        const planned = JSON.parse(body) as PlannedRights;
        note(body, (person) => maySeePlanned(rights, person, planned));
      }
      rights.users = rows<{ userid: number; username: string; privileges: string }>(
        'SELECT userid, username, privileges FROM users',
      ).map((user) => ({ ...user, privileges: JSON.parse(user.privileges) as string[] }));
      rights.members = rows('SELECT teamid, userid FROM team_members');
      rights.teams = rows('SELECT teamid, owner FROM teams');
      rights.stations = rows<{ stationid: number }>('SELECT stationid FROM stations').map(
        ({ stationid }) => ({
          stationid,
          members: rows(`SELECT userid, until FROM station_members WHERE stationid = ${stationid}`),
        }),
      );
    } finally {
      connection.close();
    }
    this.#known = words;
    return words;
  }
}
