import { endSessionsOfUser } from "@beatmarket/authentication/sessions.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { openMailer } from "@beatmarket/mail/mailer.ts";
import { type Command, Option } from "commander";
import type { Config } from "../config.ts";
import type { Queryable } from "../database/connect.ts";
import { eraseAccount } from "../portal/account/data-routes.ts";
import { exportAccount } from "../portal/auth/account-rows.ts";
import { type MailText, suspendedMail, unsuspendedMail } from "../portal/auth/mails.ts";
import { openTemplatedMailer } from "../resources/mails/folder.ts";
import { addressesOf } from "../resources/organisations/members.ts";
import { exportUser } from "../resources/personal-data/export.ts";
import { createAccount, markMarketplace, requireAccount } from "../resources/users/accounts.ts";
import {
  type AccountName,
  markOperator,
  setCommission,
  suspendAccount,
  unsuspendAccount,
} from "../resources/users/standing.ts";
import { reading } from "./terminal/arguments.ts";
import { createLogger, writeOutputFile } from "./terminal/output.ts";
import { printResult, printStream, withDatabase } from "./terminal/run.ts";

const environment = (success: string): string => `
Environment: DATA_DIR (.data), or DATABASE_URL, of the service. The command works with or without a running service.

Exit status: 0 when ${success}; 1 otherwise, and then nothing has changed.`;

/** `users export` and `users erase`. */
function personalDataCommands(users: Command): void {
  users
    .command("export")
    .description("Export all data of an account as JSON.")
    .argument("<email>", "the address of the account")
    .option("--out <file>", "write to a new file that only its owner can read (default: standard output)")
    .option("--json", "with --out, print the result as JSON; the export is always JSON")
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
    .description(
      "Delete an account permanently. docs/privacy.md says what is erased, and what is kept without its name.",
    )
    .argument("<email>", "the address of the account")
    .option("--yes", "confirm the deletion; without it, nothing is changed")
    .option("--json", "print JSON")
    .addHelpText("after", environment("the account is erased"))
    .action((email: string, options: { yes?: true; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const { id, display_name } = await requireAccount(query, email);
        if (options.yes !== true)
          throw new OperatorError(
            `This deletes user ${id}, ${display_name}, permanently. Add --yes to confirm. To keep a copy, run users export first.`,
          );
        const { publicUrl, allowsDuplicates } = config;
        const context = { db: query, clock: systemClock, publicUrl, allowsDuplicates };
        await eraseAccount(context, { userId: id, author: "operator", requestId: null });
        const time = new Date(systemClock.nowMs()).toISOString();
        printResult(options.json, { user_id: id, erased: true, erased_at: time }, `Erased user ${id} at ${time}.`);
      }),
    );
}

/** `users create`, `marketplace`, `operator`, `commission`, `suspend`, `unsuspend`, `export` and `erase`. */
export function usersCommand(users: Command): void {
  users
    .command("create")
    .description("Create an account.")
    .requiredOption("--email <address>", "its e-mail address")
    .option("--name <name>", "its display name (default: a random name)")
    .option("--json", "print JSON")
    .action((options: { email: string; name?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const account = await createAccount(query, options);
        printResult(
          options.json,
          account,
          `Made user ${account.id}, ${account.display_name} (@${account.username}), for ${account.email}.`,
        );
      }),
    );

  personalDataCommands(users);

  users
    .command("marketplace")
    .description("Mark an account as a marketplace: its webhooks receive every beat.purchased event.")
    .requiredOption("--email <address>", "its e-mail address")
    .option("--off", "remove the mark")
    .option("--json", "print JSON")
    .action((options: { email: string; off?: true; json?: true }) =>
      withDatabase(async ({ query }) => {
        const marketplace = options.off !== true;
        await markMarketplace(query, options.email, marketplace);
        printResult(
          options.json,
          { email: options.email, marketplace },
          `The webhooks of ${options.email} ${marketplace ? "now" : "no longer"} receive all purchases.`,
        );
      }),
    );

  users
    .command("operator")
    .description("Mark an account as an operator: it sees and changes all accounts in the portal.")
    .requiredOption("--email <address>", "its e-mail address")
    .option("--off", "remove the mark; the change applies to the next request")
    .option("--json", "print JSON")
    .action((options: { email: string; off?: true; json?: true }) =>
      withDatabase(async ({ query }) => {
        const operator = options.off !== true;
        await markOperator(query, options.email, operator, byOperator());
        printResult(
          options.json,
          { email: options.email, operator },
          `${options.email} is ${operator ? "an operator: the portal shows Operate in its navigation" : "not an operator any more"}.`,
        );
      }),
    );

  withAccountOptions(users.command("commission"))
    .description("Set the commission on the new sales of an account. Earlier sales keep their commission.")
    .addOption(
      new Option("--basis-points <number>", "the commission, such as 1500 for 15 %")
        .argParser(reading(readBasisPoints))
        .conflicts("default"),
    )
    .option("--default", "use COMMISSION_BASIS_POINTS again")
    .option("--json", "print JSON")
    .action((options: AccountOptions & { basisPoints?: number; default?: true; json?: true }) =>
      withDatabase(async ({ query }) => {
        const basisPoints = options.default === true ? null : options.basisPoints;
        if (basisPoints === undefined) throw new OperatorError("Set the commission with --basis-points or --default.");
        const target = nameOf(options);
        const account = await setCommission(query, target, { basisPoints, ...byOperator() });
        printResult(
          options.json,
          { ...target, user_id: account.id, basis_points: basisPoints },
          `The commission on sales of ${account.label} is ${basisPoints === null ? "the default" : `${basisPoints} basis points`} from now on.`,
        );
      }),
    );

  withAccountOptions(users.command("suspend"))
    .description(
      "Suspend an account: its keys, sessions and webhooks stop within a second, and its beats are off sale. Its owners get a mail.",
    )
    .requiredOption("--reason <sentence>", "why, for its owners")
    .option("--keep-beats", "leave its beats on sale")
    .option("--json", "print JSON")
    .action((options: AccountOptions & { reason: string; keepBeats?: true; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const target = nameOf(options);
        const keepsBeats = options.keepBeats === true;
        const suspension = { reason: options.reason, keepsBeats, ...byOperator() };
        const account = await suspendAccount(query, target, suspension, endSessionsOfUser);
        await notify({ config, db: query }, await addressesOf(query, account), suspendedMail(account, options.reason));
        printResult(
          options.json,
          { ...target, user_id: account.id, suspended: true },
          `${account.label} (user ${account.id}) is suspended. \`beatmarket users unsuspend\` lifts it.`,
        );
      }),
    );

  withAccountOptions(users.command("unsuspend"))
    .description(
      "Lift a suspension: keys work again, deliveries that waited are sent, and beats are on sale again. The owners get a mail.",
    )
    .requiredOption("--reason <sentence>", "why, for the audit log")
    .option("--json", "print JSON")
    .action((options: AccountOptions & { reason: string; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const target = nameOf(options);
        const account = await unsuspendAccount(query, target, { ...options, ...byOperator() });
        await notify(
          { config, db: query },
          await addressesOf(query, account),
          unsuspendedMail(account, config.publicUrl),
        );
        printResult(
          options.json,
          { ...target, user_id: account.id, suspended: false },
          `${account.label} (user ${account.id}) is not suspended any more.`,
        );
      }),
    );
}

function readBasisPoints(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 10_000)
    throw new OperatorError("It takes basis points: a whole number from 0 to 10000.");
  return Number(text);
}

interface AccountOptions {
  email?: string;
  organisation?: string;
}

const withAccountOptions = (command: Command): Command =>
  command
    .addOption(new Option("--email <address>", "the account of a person").conflicts("organisation"))
    .option("--organisation <username>", "the account of an organisation, such as acme-records");

function nameOf({ email, organisation }: AccountOptions): AccountName {
  if (email !== undefined) return { email };
  if (organisation !== undefined) return { organisation };
  throw new OperatorError("Name the account with --email for a person, or --organisation for an organisation.");
}

const byOperator = () => ({ author: "operator", now: new Date(systemClock.nowMs()) }) as const;

/** Mails the addresses. Prints a warning for each mail that fails, because the change of the account stays. */
async function notify(
  { config, db }: { config: Config; db: Queryable },
  addresses: readonly string[],
  mail: MailText,
): Promise<void> {
  const mailer = await openTemplatedMailer(openMailer(config, createLogger(config)), { ...config.mails, db });
  for (const to of addresses) {
    try {
      await mailer.send({ to, ...mail });
    } catch (error) {
      process.stderr.write(
        `warning: the mail to ${to} was not sent: ${(error as Error).message}. Check SMTP_URL and MAIL_FROM.\n`,
      );
    }
  }
}
