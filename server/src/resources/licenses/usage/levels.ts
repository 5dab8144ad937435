import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { queueMails } from "../../mails/outbox.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import { type AnswerParts, findRemedy, type Remedy } from "../answers/ask.ts";
import { dayOf } from "../answers/read-question.ts";
import type { UsageSum } from "../counted-use.ts";
import type { PublicLicense } from "../queries.ts";

/** The percentages of a limit at which the holder is notified. */
const levels = [80, 100] as const;

/**
 * Records which percentages of its limits the usage has reached. The first time, an event and a mail notify the holder
 * and name the license to buy for more. If a report passes several percentages at once, only the highest is sent.
 */
export async function noteLevels(
  transaction: Queryable,
  parts: AnswerParts,
  license: PublicLicense,
  { sums, requestId, now }: { sums: readonly UsageSum[]; requestId: string; now: Date },
): Promise<void> {
  for (const sum of sums) {
    const { use, used, limit } = sum;
    if (limit === null) continue;
    const reached = levels.filter((percent) => used > 0 && used * 100 >= limit * percent);
    await transaction
      .updateTable("license_usage_levels")
      .set({ stands: sql<boolean>`percent = any(${reached}::smallint[])` })
      .where("license_id", "=", license.id)
      .where("use", "=", use)
      .execute();
    if (reached.length === 0) continue;
    const noted = await transaction
      .insertInto("license_usage_levels")
      .values(reached.map((percent) => ({ license_id: license.id, use, percent, reached_at: now, stands: true })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("percent")
      .execute();
    if (noted.length === 0) continue;
    const percent = Math.max(...noted.map((each) => each.percent));
    await notify(transaction, parts, license, { sum: { ...sum, limit }, percent, requestId, now });
  }
}

interface Reached {
  sum: UsageSum & { limit: number };
  percent: number;
  requestId: string;
  now: Date;
}

async function notify(
  transaction: Queryable,
  parts: AnswerParts,
  license: PublicLicense,
  { sum: { use, used, limit }, percent, requestId, now }: Reached,
): Promise<void> {
  const { claims, holderId } = license;
  const question = { use, quantity: Math.max(limit - used, 0) + 1, territory: null, on: dayOf(now) };
  const usedNow = { [use]: used };
  const remedy = await findRemedy(transaction, parts, license, { question, used: usedNow, now, isHolder: true });
  await emitEvents(transaction, [
    {
      type: "license.usage",
      data: {
        license_id: license.id,
        order_id: claims.order_id,
        beat_id: claims.beat.id,
        title: claims.beat.title,
        license_type: claims.license_type,
        ...{ use, percent, used, limit },
        remedy: remedy && { license_type: remedy.type, price: remedy.price, currency: remedy.currency },
      },
      at: now,
      audience: [holderId],
      requestId,
    },
  ]);
  const holder = await transaction.selectFrom("users").select("email").where("id", "=", holderId).executeTakeFirst();
  if (holder?.email == null) return;
  const facts = {
    title: claims.beat.title,
    license: claims.license_type,
    order: String(claims.order_id),
    ...{ use, percent: String(percent), used: used.toLocaleString("en-US"), limit: limit.toLocaleString("en-US") },
    remedy: remedyText(remedy),
    link: `${parts.publicUrl}/portal/library?order=${claims.order_id}`,
  };
  await queueMails(transaction, [{ userId: holderId, to: holder.email, template: "license-usage", facts }], now);
}

const remedyText = (remedy: Remedy | null): string =>
  remedy === null
    ? "No license of this beat that allows more is for sale at the moment. Write to the producer from your library."
    : `For more, buy the ${remedy.type} license. It costs ${formatAmount(Math.round(remedy.price * 100), remedy.currency)} today.`;
