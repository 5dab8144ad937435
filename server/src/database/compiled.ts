import type { Compilable, CompiledQuery } from "kysely";
import { driverOf, type Queryable } from "./connect.ts";

/**
 * Statements that are built and compiled once, by name, and then run with other parameters: for those that run for
 * nearly every request, where building costs more than running.
 */
export class CompiledStatements<Row> {
  readonly #compiled = new Map<string, CompiledQuery<Row>>();

  /**
   * Runs the statement of that name. `parameters` are its values in the order they occur in its text; `build` is
   * called the first time, and must put the same values into the same places each time it would be.
   */
  async rows(db: Queryable, name: string, parameters: unknown[], build: () => Compilable<Row>): Promise<Row[]> {
    let compiled = this.#compiled.get(name);
    if (compiled === undefined) {
      compiled = build().compile();
      if (compiled.parameters.length !== parameters.length)
        throw new Error(`Statement ${name} has ${compiled.parameters.length} parameters, not ${parameters.length}.`);
      this.#compiled.set(name, compiled);
    }
    // A pool's driver needs no connection reserved for one statement, which saves a third of what a request costs.
    const driver = driverOf(db);
    if (driver !== undefined)
      return driver.unsafe<Row[] & object[]>(compiled.sql, parameters as never[], { prepare: true });
    const query: CompiledQuery<Row> = { ...compiled, parameters };
    return (await db.executeQuery(query)).rows;
  }
}
