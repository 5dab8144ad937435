import type { TestDatabase } from "../../harness/database/driver.ts";
import { makeBeats } from "../stage/stage.ts";

const iban = "NL91ABNA0417164300";
const beatCount = 80;

/**
 * Inserts beats of producers who have a bank account and an account at Stripe. Every second beat is split with two of
 * the other producers. Returns the ids of the beats.
 */
export async function openShop(db: TestDatabase): Promise<number[]> {
  const { driver } = db;
  const beats = await makeBeats(db, beatCount);
  await driver`update users set email = 'producer-' || id || '@example.com' where id in (select user_id from beats)`;
  await driver`
    insert into payout_accounts (user_id, holder, iban, stripe_account, updated_at)
    select distinct user_id, 'Producer ' || user_id, ${iban}, 'acct_' || user_id, now() from beats`;
  await driver`
    insert into beat_shares (beat_id, user_id, basis_points, invited_at, accepted_at)
    select beats.id, other.user_id, 3333, now(), now() from beats, lateral (
      select distinct user_id from beats as others where others.user_id <> beats.user_id order by user_id limit 2) as other
    where beats.id % 2 = 0`;
  return beats;
}
