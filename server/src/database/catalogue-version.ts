import type postgres from "postgres";

/** The channel that the catalogue's triggers notify (migration 0001). */
const channel = "catalogue";

/** What the triggers' notice says when a name that beats are shown with has changed (migration 0010). */
const namesNotice = "names";

/**
 * A number that changes whenever the catalogue does. Writes of this process bump it at once, those of others through
 * LISTEN. Whatever was read under an earlier number may be stale.
 */
export class CatalogueVersion {
  current = 1;
  /** Changes only when the name of a producer or genre may have: far more rarely. */
  names = 1;

  bump(): void {
    this.current++;
  }

  bumpNames(): void {
    this.names++;
    this.current++;
  }

  /**
   * Follows the database's notices until the returned function is called. Notices may be missed while a lost
   * connection is re-established, so every (re)connection counts as a change.
   */
  async follow(driver: postgres.Sql): Promise<() => Promise<void>> {
    const { unlisten } = await driver.listen(
      channel,
      (notice) => (notice === namesNotice ? this.bumpNames() : this.bump()),
      () => this.bumpNames(),
    );
    return unlisten;
  }
}
