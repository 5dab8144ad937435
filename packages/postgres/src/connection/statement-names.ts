/**
 * The codes for an outdated prepared statement. 0A000: its result type changed, since its table was altered. 26000: it
 * does not exist, since an earlier statement of the pipeline failed to prepare it.
 */
const outdatedCodes = ["0A000", "26000"];
/**
 * Each prepared statement costs memory on every connection. Further texts, such as lists of many lengths, stay
 * unprepared.
 */
const maxNames = 500;
const maxTextLength = 10_000;

/**
 * The names of prepared statements. Statements are prepared, because planning takes longer than running most of them.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #lastNumber = 0;

  /** The name for a text. Undefined if the text is too long, or if there are too many names already. */
  nameOf(text: string): string | undefined {
    const existingName = this.#names.get(text);
    if (existingName !== undefined || this.#names.size >= maxNames || text.length > maxTextLength) return existingName;
    const name = `statement ${++this.#lastNumber}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Runs a statement under its name. If its preparation is outdated, runs it again under a new name. In a transaction
   * the second run fails, too; then throws the first error.
   */
  async run<Result>(text: string, execute: (name: string | undefined) => Promise<Result>): Promise<Result> {
    const name = this.nameOf(text);
    try {
      return await execute(name);
    } catch (error) {
      if (name === undefined || !outdatedCodes.includes(codeOf(error))) throw error;
      if (this.#names.get(text) === name) this.#names.delete(text);
      return execute(this.nameOf(text)).catch((secondError) => {
        throw codeOf(secondError) === inFailedTransaction ? error : secondError;
      });
    }
  }
}

const inFailedTransaction = "25P02";
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";
