/**
 * PostgreSQL has changed what a prepared statement returns (its table was altered), or does not know the statement
 * (preparing it has failed for the statement ahead in the pipeline).
 */
const outdatedCodes = ["0A000", "26000"];
/** Each costs memory on every connection. Texts beyond these, such as lists of many lengths, are sent unprepared. */
const maxNames = 500;
const maxTextLength = 10_000;

/** The names under which statements are prepared: planning costs more than most of them take. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #given = 0;

  /** Undefined for a text that is not worth preparing. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= maxNames || text.length > maxTextLength) return known;
    const name = `statement ${++this.#given}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Runs a statement under its name. One whose preparation is outdated is prepared under another name and run again; in a
   * transaction that is too late, and the first error is thrown.
   */
  async run<Result>(text: string, execute: (name: string | undefined) => Promise<Result>): Promise<Result> {
    const name = this.nameOf(text);
    try {
      return await execute(name);
    } catch (error) {
      if (name === undefined || !outdatedCodes.includes(codeOf(error))) throw error;
      if (this.#names.get(text) === name) this.#names.delete(text);
      return execute(this.nameOf(text)).catch((again) => {
        throw codeOf(again) === inFailedTransaction ? error : again;
      });
    }
  }
}

const inFailedTransaction = "25P02";
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";
