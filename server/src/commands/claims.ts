import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { openMailer } from "@beatmarket/mail/mailer.ts";
import type { Command } from "commander";
import { type Claim, claimMail, createClaim, listClaims, revokeClaim } from "../resources/claims/claims.ts";
import { openTemplatedMailer } from "../resources/mails/folder.ts";
import { reading, readWholeNumber } from "./terminal/arguments.ts";
import { createLogger, tableText, wholeSecondsUtc } from "./terminal/output.ts";
import { printResult, withDatabase } from "./terminal/run.ts";

/** `claims create`, `list` and `revoke`: hands imported producers over to their owners. */
export function claimsCommand(claims: Command): void {
  claims.addHelpText(
    "after",
    `
Examples:
  beatmarket claims create 12 --email ana@example.com
  beatmarket claims list
  beatmarket claims revoke 3

The mailed link works for 24 hours. When it is opened, the producer's beats belong to the account of that address. Until then
the claim can be revoked (docs/operating.md, Imported producers).`,
  );

  claims
    .command("create")
    .description("Mail a link that hands over a producer to the owner of a mailbox.")
    .argument("<producer>", "the producer's id, as GET /v1/producers shows it", reading(readWholeNumber))
    .requiredOption("--email <address>", "the mailbox, with an account or without")
    .option("--json", "print JSON")
    .action((producerId: number, options: { email: string; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const { claim, token } = await createClaim(query, { producerId, email: options.email }, now());
        try {
          const mailer = await openTemplatedMailer(openMailer(config, createLogger(config)), {
            ...config.mails,
            db: query,
          });
          await mailer.send(claimMail(config.publicUrl, claim, token));
        } catch (error) {
          await revokeClaim(query, claim.id, now());
          throw new OperatorError(
            `The mail to ${claim.email} was not sent, so there is no claim: ${(error as Error).message}. Check SMTP_URL and MAIL_FROM.`,
          );
        }
        printResult(
          options.json,
          claimJson(claim),
          `Claim ${claim.id}: a link was mailed to ${claim.email}. If it is opened before ${wholeSecondsUtc(claim.expires_at)}, it hands over ${claim.producer_name} (producer ${claim.producer_id}).`,
        );
      }),
    );

  claims
    .command("list")
    .description("List claims, newest first.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const allClaims = await listClaims(query);
        printResult(
          options.json,
          allClaims.map(claimJson),
          allClaims.length === 0 ? "No claims." : listText(allClaims),
        );
      }),
    );

  claims
    .command("revoke")
    .description("Revoke a claim that is not confirmed yet.")
    .argument("<id>", "the claim's id, as claims list shows it", reading(readWholeNumber))
    .option("--json", "print JSON")
    .action((id: number, options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const claim = await revokeClaim(query, id, now());
        printResult(options.json, { id }, `Claim ${id} of ${claim.producer_name} by ${claim.email} is revoked.`);
      }),
    );
}

const now = (): Date => new Date(systemClock.nowMs());

const stateOf = ({ proven_at, expires_at }: Claim): "proven" | "expired" | "waiting" => {
  if (proven_at !== null) return "proven";
  return expires_at <= now() ? "expired" : "waiting";
};

const claimJson = (claim: Claim) => ({
  id: claim.id,
  producer_id: claim.producer_id,
  producer_name: claim.producer_name,
  email: claim.email,
  state: stateOf(claim),
  created_at: wholeSecondsUtc(claim.created_at),
  expires_at: wholeSecondsUtc(claim.expires_at),
  proven_at: wholeSecondsUtc(claim.proven_at),
  user_id: claim.user_id,
});

const listText = (claims: readonly Claim[]): string =>
  tableText([
    ["ID", "PRODUCER", "NAME", "MAILBOX", "STATE", "EXPIRES", "PROVEN", "ACCOUNT"],
    ...claims.map((claim) => [
      String(claim.id),
      String(claim.producer_id),
      claim.producer_name,
      claim.email,
      stateOf(claim),
      wholeSecondsUtc(claim.expires_at) ?? "",
      wholeSecondsUtc(claim.proven_at) ?? "",
      claim.user_id === null ? "" : `user ${claim.user_id}`,
    ]),
  ]);
