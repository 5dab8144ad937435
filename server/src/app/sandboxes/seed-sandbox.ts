import { createHash, randomBytes } from "node:crypto";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { composeIBAN } from "ibantools";
import { sql } from "kysely";
import { onRandomSource, SeededSource } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import { demoCatalogue } from "../../demo/catalogue.ts";
import { insertCatalogue } from "../../demo/seed.ts";
import { upsertGenres } from "../../resources/genres/genres.ts";
import { type NewDetails, saveBankAccount } from "../../resources/payouts/payout-accounts.ts";
import type { NewSandbox } from "../../resources/sandboxes/queries.ts";
import { addMirror, createAccount, findAccount, markMarketplace } from "../../resources/users/accounts.ts";

/** The time at which every sandbox begins, except test mode. */
const sandboxBeginsAt = new Date("2026-01-01T00:00:00Z");
/** Ids of users from here on belong to the catalogue of test mode. Lower ids belong to users of the live service. */
const firstTestUserId = 1_000_000_000;
const buyers = 20;

const ownerEmail = "owner@sandbox.invalid";
const buyerEmail = (number: number): string => `buyer-${number}@sandbox.invalid`;

/** Finds the account to which the keys of a sandbox belong. */
export async function ownerOf(db: Queryable): Promise<number> {
  const owner = await findAccount(db, ownerEmail);
  if (owner === null) throw new Error("The sandbox has no owner.");
  return owner.id;
}

/** The simulated buyers of a sandbox, in the order of their ids. */
export async function buyersOf(db: Queryable): Promise<number[]> {
  const rows = await db.selectFrom("users").select("id").where("email", "like", "buyer-%@sandbox.invalid").execute();
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** The invented bank account of a producer. */
export const simulatedBankAccount = (userId: number): NewDetails => {
  const bban = `10000000${String(userId).padStart(10, "0")}`;
  return { holder: `Producer ${userId}`, iban: composeIBAN({ countryCode: "DE", bban }) ?? "" };
};

/** Fills the new database of a sandbox: state, catalogue, and owner and buyers (for test mode: the live account). */
export async function seedSandbox(
  db: Queryable,
  { kind, seed, catalogue, user_id }: Omit<NewSandbox, "id">,
  realNow: Date,
): Promise<void> {
  const isTest = kind === "test";
  const now = isTest ? realNow : sandboxBeginsAt;
  const source = new SeededSource(seed);
  await onRandomSource(source, () =>
    transact(db, async (transaction) => {
      await sql`
        update sandbox.state set seed = ${seed}, secret = ${randomBytes(32).toString("base64")},
          time = ${isTest ? null : now}`.execute(transaction);
      if (isTest) await sql`alter sequence users_id_seq restart with ${sql.lit(firstTestUserId)}`.execute(transaction);
      const demo = demoCatalogue(now.getTime(), numberOf(seed));
      if (catalogue === "demo") await insertCatalogue(transaction, demo, now);
      // Without genres, no beat could be published in the sandbox.
      else await upsertGenres(transaction, demo.genres);
      if (isTest) return addMirror(transaction, user_id, "Test account");
      await createAccount(transaction, { email: ownerEmail, name: "Owner" });
      // A marketplace account's endpoints receive the purchases of simulated buyers.
      await markMarketplace(transaction, ownerEmail, true);
      for (let number = 1; number <= buyers; number++)
        await createAccount(transaction, { email: buyerEmail(number), name: `Buyer ${number}` });
      const { rows: producers } = await sql<{ id: number }>`
        select id from users where is_producer or email = ${ownerEmail} order by id`.execute(transaction);
      for (const { id } of producers)
        await saveBankAccount(transaction, id, simulatedBankAccount(id), { author: "operator", now });
    }),
  );
  const { other, ...ofKinds } = source.draws;
  await sql`update sandbox.state set draws = ${other}, kind_draws = ${ofKinds}`.execute(db);
}

/** The seed as a number of 32 bits, for the invented catalogue. */
const numberOf = (seed: string): number => createHash("sha256").update(seed).digest().readUInt32BE(0);
