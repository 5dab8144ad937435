import { randomBytes } from "node:crypto";
import { sale, unknownEvent } from "./events.ts";
import type { Session } from "./session.ts";
import { isSuccess } from "./wire.ts";

/** A check for a mistake that receivers make. */
export interface Check {
  name: string;
  /** The remedy, as a sentence. */
  repair: string;
  run(session: Session, options: { slowMs: number }): Promise<void>;
}

const minutesFromNow = (count: number): Date => new Date(Date.now() + count * 60_000);
const otherSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export const checks: readonly Check[] = [
  {
    name: "bad signatures",
    repair: "Verify the signature over the raw body before anything else, and answer 401 where it does not match.",
    run: async (session) => {
      const forgeries = [
        ["no signature", () => ({})],
        ["an empty signature", (headers) => replaceSignature(headers, () => "")],
        ["half a signature", (headers) => replaceSignature(headers, (value) => value.slice(0, value.length / 2))],
      ] as [string, (headers: Record<string, string>) => Record<string, string>][];
      await Promise.all([
        ...forgeries.map(async ([what, forge]) => {
          const { purchase } = sale();
          session.mustRefuse(purchase, await session.send(purchase, { forge }), what);
        }),
        (async () => {
          const { purchase } = sale();
          const forged = await session.signElsewhere(JSON.stringify(purchase), otherSecret());
          session.mustRefuse(purchase, await session.send(purchase, { forge: () => forged }), "another secret");
        })(),
        (async () => {
          const { purchase } = sale();
          const response = await session.send(purchase);
          const forged = { ...purchase, id: sale().purchase.id, data: { ...purchase.data, amount: 0.01 } };
          const reused = { forge: () => session.lastHeaders(purchase.id) };
          if (isSuccess(response))
            session.mustRefuse(forged, await session.send(forged, reused), "the signature of another body");
        })(),
      ]);
    },
  },
  {
    name: "clock skew",
    repair:
      "Refuse a webhook-timestamp that differs by more than five minutes, and accept a smaller difference. The signature of webhook-signature covers the timestamp.",
    run: async (session) => {
      const [old, early, recent] = [sale().purchase, sale().purchase, sale().purchase];
      await Promise.all([
        (async () => {
          session.mustRefuse(old, await session.send(old, { at: minutesFromNow(-10) }), "signed 10 minutes ago");
        })(),
        (async () => {
          session.mustRefuse(early, await session.send(early, { at: minutesFromNow(10) }), "signed 10 minutes ahead");
        })(),
        (async () => {
          session.mustAccept(await session.send(recent, { at: minutesFromNow(-2) }), "signed 2 minutes ago");
        })(),
      ]);
    },
  },
  {
    name: "double deliveries",
    repair:
      "Store the id of an event in the transaction that handles it, with a unique index, and answer 2xx to an event whose id is stored already.",
    run: async (session) => {
      const { purchase } = sale();
      const responses = await Promise.all([session.send(purchase), session.send(purchase)]);
      const repeated = await session.send(purchase);
      // One of two concurrent deliveries may be refused.
      if (!responses.some(isSuccess)) session.mustAccept(responses[0], "two at once");
      session.mustAccept(repeated, "the same event again");
      session.handled(purchase, "an event that came three times", { once: true });
    },
  },
  {
    name: "wrong order",
    repair:
      "Do not rely on the order: keep a refund whose purchase has not come. The purchase may be older than your integration, too.",
    run: async (session) => {
      const { purchase, refund } = sale();
      const refunded = refund(29.9);
      const unknown = sale().refund(29.9);
      const early = await session.send(refunded);
      session.mustAccept(await session.send(purchase), "a purchase after its refund");
      if (!isSuccess(early)) session.mustAccept(await session.send(refunded), "its refund, delivered again");
      session.handled(purchase, "a purchase after its refund");
      session.handled(refunded, "a refund before its purchase");
      session.mustAccept(await session.send(unknown), "a refund of an order that is older than the integration");
      session.handled(unknown, "a refund of an order that is older than the integration");
    },
  },
  {
    name: "late refunds",
    repair:
      "Take every order.refunded: an order is refunded in parts, also months later. Tell events apart by their id, not by their order.",
    run: async (session) => {
      const { purchase, refund } = sale();
      const part = refund(10);
      const rest = refund(29.9);
      session.mustAccept(await session.send(purchase), "a purchase");
      session.mustAccept(await session.send(part), "a refund in part");
      session.mustAccept(await session.send(rest), "a second refund of the same order");
      session.handled(part, "a refund in part");
      session.handled(rest, "a second refund of the same order");
    },
  },
  {
    name: "slow connections",
    repair:
      "Read the body to its end before you parse it; allow 15 seconds for it, and answer before the work is done.",
    run: async (session, { slowMs }) => {
      const { purchase } = sale("A title that takes its time ".repeat(40));
      const response = await session.send(purchase, { spreadMs: slowMs });
      session.mustAccept(response, `a body that takes ${slowMs / 1_000} s`);
      session.handled(purchase, "a body in pieces");
    },
  },
  {
    name: "cut connections",
    repair:
      "Handle an event only when its whole body has come and its signature matches. Note its id when it is handled, not when it arrives.",
    run: async (session) => {
      const [lost, resent, unheard] = [sale().purchase, sale().purchase, sale().purchase];
      await Promise.all([
        session.send(lost, { cut: "in the body" }).then(() => session.notHandled(lost, "half a body")),
        (async () => {
          await session.send(resent, { cut: "in the body" });
          session.mustAccept(await session.send(resent), "an event again after half of it");
          session.handled(resent, "an event again after half of it");
        })(),
        (async () => {
          await session.send(unheard, { cut: "before the answer" });
          session.mustAccept(await session.send(unheard), "an event again whose answer was lost");
          session.handled(unheard, "an event again whose answer was lost");
        })(),
      ]);
    },
  },
  {
    name: "raw bytes",
    repair: "Verify the bytes of the body as you received them, not JSON that was parsed and written again.",
    run: async (session) => {
      const { purchase } = sale("\u6c34\u66dc\u65e5 & caf\u00e9");
      const body = JSON.stringify(purchase, null, 1).replace("\u00e9", "\\u00e9");
      session.mustAccept(await session.send(purchase, { body }), "a body with spaces and escapes");
    },
  },
  {
    name: "unknown types",
    repair: "Answer 2xx to a type that you do not know: later releases add types.",
    run: async (session) => {
      session.mustAccept(await session.send(unknownEvent()), "a type of a later release");
    },
  },
  {
    name: "rotated secrets",
    repair:
      "Accept a request if any of its signatures matches: webhook-signature has several while a secret is rotated, and X-Webhook-Signature-Previous has the older one.",
    run: async (session) => {
      const { purchase } = sale();
      const newer = await session.signElsewhere(JSON.stringify(purchase), otherSecret());
      const forge = (headers: Record<string, string>) => rotated(headers, newer);
      session.mustAccept(await session.send(purchase, { forge }), "two signatures");
    },
  },
];

const isSignature = (name: string): boolean => /signature/i.test(name);

const replaceSignature = (headers: Record<string, string>, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSignature(name) ? change(value) : value]));

/** The headers of a delivery signed with both secrets. `older`: the headers for the receiver's secret. */
function rotated(older: Record<string, string>, newer: Record<string, string>): Record<string, string> {
  const value = (headers: Record<string, string>, expected: string) =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === expected)?.[1] ?? "";
  const names = ["webhook-signature", "x-webhook-signature"];
  const others = Object.entries(older).filter(([name]) => !names.includes(name.toLowerCase()));
  return {
    ...Object.fromEntries(others),
    "webhook-signature": `${value(newer, "webhook-signature")} ${value(older, "webhook-signature")}`,
    "x-webhook-signature": value(newer, "x-webhook-signature"),
    "x-webhook-signature-previous": value(older, "x-webhook-signature"),
  };
}
