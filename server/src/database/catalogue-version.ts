import type postgres from "postgres";

/** The channel that the catalogue's triggers notify (migration 0001). */
const channel = "catalogue";

/**
 * A number that changes whenever the catalogue does. Writes of this process bump it at once, those of others through
 * LISTEN. Whatever was read under an earlier number may be stale.
 */
export class CatalogueVersion {
  current = 1;

  bump(): void {
    this.current++;
  }

  /**
   * Follows the database's notices until the returned function is called. Notices may be missed while a lost
   * connection is re-established, so every (re)connection counts as a change.
   */
  async follow(driver: postgres.Sql): Promise<() => Promise<void>> {
    const { unlisten } = await driver.listen(
      channel,
      () => this.bump(),
      () => this.bump(),
    );
    return unlisten;
  }
}
