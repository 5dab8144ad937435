import Type from "typebox";
import { randomUuid } from "../../access/random-source.ts";
import { clipped } from "../answer.ts";
import type { Quotes } from "../quotes.ts";
import { dataOf, Refusal, type Tool } from "../tool.ts";
import { type BeatDetails, BeatId } from "./get-beat.ts";

const validMs = 15 * 60_000;
const licenseTypes = ["basic", "premium", "unlimited", "exclusive"];

export const quote = (quotes: Quotes, currency: string): Tool => ({
  name: "quote",
  description: "The price of a license today, valid for 15 minutes. Show it to the person; `buy` takes it.",
  isReadOnly: true,
  input: Type.Object({
    beat_id: BeatId,
    license_type: Type.Enum(licenseTypes, { default: "basic" }),
  }),
  call: async ({ beat_id, license_type }, { request, caller, nowMs }) => {
    const data = dataOf(await request({ method: "GET", url: `/v1/beats/${beat_id}` }));
    const beat = data.beat as BeatDetails;
    const license = beat.licenses.find(({ type }) => type === license_type);
    if (license?.available !== true)
      throw new Refusal(
        `The ${license_type} license of beat ${beat_id} is not for sale. get_beat lists the licenses that are.`,
      );
    const expiresAt = Math.floor((nowMs + validMs) / 1_000);
    const title = clipped(beat.title, 80);
    const terms = { title, price: license.price, currency };
    return {
      quote: quotes.seal({
        ...{ id: randomUuid(), keyId: caller.keyId, beatId: Number(beat_id), licenseType: license.type },
        ...{ ...terms, expiresAt },
      }),
      beat_id,
      license_type,
      ...terms,
      expires_at: new Date(expiresAt * 1_000).toISOString().replace(".000", ""),
    };
  },
});
