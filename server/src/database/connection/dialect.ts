import { CompiledQuery, type DatabaseConnection } from "kysely";
import { PostgresJSDialect, type PostgresJSDialectConfig, PostgresJSDriver } from "kysely-postgres-js";

/**
 * Kysely on our driver. When the connection is lost in a transaction, PostgreSQL has rolled it back, and what the caller
 * gets is why the connection was lost, not that the rollback failed too.
 */
export class Dialect extends PostgresJSDialect {
  readonly #config: PostgresJSDialectConfig;

  constructor(config: PostgresJSDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresJSDriver {
    return new Driver(this.#config);
  }
}

class Driver extends PostgresJSDriver {
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback")).catch((error) => {
      if (error instanceof Error && error.name === "PostgresError") throw error;
    });
  }
}
