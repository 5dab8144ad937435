import { createInterface } from "node:readline/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** Asks before an irreversible action. Throws an OperatorError unless `yes` is given or the answer is yes. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY) throw new OperatorError(`${question} Add --yes; nothing was changed.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    terminal.once("close", () => resolve(""));
    void terminal.question(`${question} [y/N] `).then(resolve, () => resolve(""));
  });
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError("Nothing was changed.");
}
