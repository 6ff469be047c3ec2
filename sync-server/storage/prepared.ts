import { sql, type Compilable, type CompiledQuery, type RawBuilder } from 'kysely';

import type { Db } from './tables.ts';

/** The place of a value in a statement that is built before the value is known. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Place<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/**
 * A statement that is built once and run often: building one takes longer than SQLite needs to run it. `build` gets the
 * database and names the values by `value('name')`, each with the type of the column it is compared with or stored in.
 */
export function prepared<Values extends Record<string, unknown>, Row>(
  build: (db: Db, value: Place<Values>) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= build(db, (name) => sql`${new Slot(name)}`).compile();
    const parameters = compiled.parameters.map((one) => (one instanceof Slot ? values[one.name] : one));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
