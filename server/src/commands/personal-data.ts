import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Command } from "commander";
import { eraseAccount } from "../portal/account/erase-account.ts";
import { exportAccount } from "../portal/auth/account-rows.ts";
import { exportUser } from "../resources/personal-data/export.ts";
import { requireAccount } from "../resources/users/accounts.ts";
import { writeOutputFile } from "./terminal/output-file.ts";
import { printResult, printStream, withDatabase } from "./terminal/run.ts";

const environment = (success: string): string => `
Environment: DATA_DIR (.data), or DATABASE_URL, of the service. It works beside a running one or alone.

Exit status: 0 when ${success}, 1 otherwise; then nothing was changed.`;

/** `users export` and `users erase`. */
export function personalDataCommands(users: Command): void {
  users
    .command("export")
    .description("Write everything that the marketplace has of an account as JSON.")
    .argument("<email>", "the address of the account")
    .option("--out <file>", "write to a new file, readable by its owner alone (default: standard output)")
    .option("--json", "print JSON, as the export itself always is")
    .addHelpText("after", environment("the export is complete"))
    .action((email: string, { out, json }: { out?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const { id } = await requireAccount(query, email);
        const account = (await exportAccount(query, id)) ?? {};
        const text = exportUser(query, id, { now: new Date(systemClock.nowMs()), account });
        if (out === undefined) return printStream(text);
        await writeOutputFile(out, text, { option: "--out", isPrivate: true });
        printResult(json, { user_id: id, file: out }, `Everything of user ${id} is in ${out}.`);
      }),
    );

  users
    .command("erase")
    .description("Delete an account for good. docs/privacy.md says what is erased, and what is kept without its name.")
    .argument("<email>", "the address of the account")
    .option("--yes", "do it; without this nothing is changed")
    .option("--json", "print JSON")
    .addHelpText("after", environment("the account is erased"))
    .action((email: string, options: { yes?: true; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const { id, display_name } = await requireAccount(query, email);
        if (options.yes !== true)
          throw new OperatorError(
            `This deletes user ${id}, ${display_name}, for good. Say --yes if you mean it; users export keeps a copy.`,
          );
        const { publicUrl, allowsDuplicates } = config;
        const context = { db: query, clock: systemClock, publicUrl, allowsDuplicates };
        await eraseAccount(context, { userId: id, author: "operator", requestId: null });
        const at = new Date(systemClock.nowMs()).toISOString();
        printResult(options.json, { user_id: id, erased: true, erased_at: at }, `Erased user ${id} at ${at}.`);
      }),
    );
}
