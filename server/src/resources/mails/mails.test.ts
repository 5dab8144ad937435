import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { type Mail, openMailer } from "@beatmarket/mail/mailer.ts";
import pino from "pino";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, it, test } from "vitest";
import { languageCodes } from "../../../../contract/texts/languages.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import { mailTexts } from "../../../../contract/texts/mails.ts";
import { publicUrl, testApi, webhookSecrets } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { Sandbox } from "../orders/payments/sandbox/sandbox.ts";
import { selectOrdersWithPayment } from "../orders/queries.ts";
import { disputeReported } from "../orders/refunds/reported.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";
import { localized, renderMail } from "./facts.ts";
import { openTemplates } from "./folder.ts";
import { deleteOldOutgoingMails, MailWatch, queueMails, type SenderParts, sendDueMails } from "./outbox.ts";
import { templateNames, templates } from "./templates.ts";
import { preferencesUrl } from "./unsubscribe.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const api = await testApi({ clock });
const { driver, query: db } = api.database;
const log = pino({ level: "silent" });
const brand = {
  site: "Beat Marketplace",
  logoUrl: null,
  footer: "Acme Beats Ltd, 1 High Street",
  links: [
    { slug: "terms", name: "Terms", url: `${publicUrl}/terms` },
    { slug: "privacy", name: "Privacy", url: `${publicUrl}/privacy` },
  ],
} as const;
const dependencies = {
  db,
  clock,
  log,
  payments: [new Sandbox(db, clock)] as const,
  currency: "USD",
  commissionBasisPoints: 0,
  seller: null,
  publicUrl,
};
const sentMails: Mail[] = [];
const parts: SenderParts = {
  db,
  clock,
  log,
  brand,
  mailer: { send: async (mail) => void sentMails.push(mail) },
  texts: await openTemplates(undefined),
  libraryUrl: async () => null,
  unsubscribeUrl: (userId) => preferencesUrl(publicUrl, webhookSecrets, userId),
};
const send = (other: Partial<SenderParts> = {}) => sendDueMails({ ...parts, ...other });

let beat = 0;
let producer = 0;
beforeEach(async () => {
  sentMails.length = 0;
  await driver`truncate outgoing_mails`;
  [beat = 0] = await insertBeats(api.database, [
    { title: "Midnight <Lantern>", producer: "Nightowl", priceCents: 2990 },
  ]);
  const [row] = await driver`update users set email = ${`producer-${beat}@example.com`}, sale_mails = true
    where id = (select user_id from beats where id = ${beat}) returning id`;
  producer = row?.id;
});

const buy = async (license_type = "basic", payment_method = "pm_card_visa") =>
  (
    await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${api.key}` },
      payload: { beat_id: beat, license_type, payment_method },
    })
  ).json().data.order;
const subjects = () => sentMails.map(({ subject }) => subject).sort();
const to = (address: string) => sentMails.filter((mail) => mail.to === address);
const [buyerRow] = await driver`select email from users where id = ${api.userId}`;
const buyer = buyerRow?.email as string;

/** Writes a mail with the real mailer and reads it with a parser of another project. */
async function composeAndParse(mail: Mail) {
  const dataDir = await mkdtemp(join(tmpdir(), "mails-"));
  await openMailer({ smtpUrl: undefined, mailFrom: "Beats <beats@example.com>", dataDir }, log).send(mail);
  const [file = ""] = await readdir(join(dataDir, "mail"));
  return PostalMime.parse(await readFile(join(dataDir, "mail", file)));
}

describe("a purchase", () => {
  it("sends one receipt to the buyer, and one mail about the sale to the producer", async () => {
    const { id } = await buy();
    await send();
    await send();
    expect(subjects()).toEqual(["You sold Midnight <Lantern>: 29.90 USD", "Your receipt from Beat Marketplace"]);
    const [receipt] = to(buyer);
    for (const part of ["29.90 USD", "26 November 2026 at 12:00 UTC", `order ${id}`, `/portal/library?order=${id}`])
      expect(receipt?.text).toContain(part);
    expect(to(`producer-${beat}@example.com`)[0]?.text).toContain("basic license of “Midnight <Lantern>”");
  });

  it("of several licenses sends one receipt to the address of the checkout, with a link to the files", async () => {
    const [other = 0] = await insertBeats(api.database, [{ title: "Sunrise", producer: "Lark", priceCents: 1990 }]);
    const { checkout } = (
      await api.request({
        method: "POST",
        url: "/v1/checkouts",
        headers: { authorization: `Bearer ${api.key}` },
        payload: { items: [{ beat_id: beat }, { beat_id: other }], email: "customer@example.com" },
      })
    ).json().data;
    await send();
    expect(sentMails).toEqual([]);
    await api.request({
      method: "POST",
      url: new URL(checkout.url).pathname,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "card=pm_card_visa",
    });
    await send();
    const [receipt, ...more] = to("customer@example.com");
    expect(more).toEqual([]);
    expect(receipt?.text).toContain("- Sunrise, by Lark: basic license, 19.90 USD");
    expect(receipt?.text).toContain("49.80 USD");
    expect(receipt?.text).toContain(checkout.url);
  });

  it("sends mails in the language of each reader, with amounts and dates in that language", async () => {
    await driver`update users set language = 'de' where id = ${api.userId}`;
    const { id } = await buy();
    await send();
    const [receipt] = to(buyer);
    expect(receipt?.subject).toBe("Ihr Beleg von Beat Marketplace");
    for (const part of [
      "29,90 USD",
      "26. November 2026 um 12:00 UTC",
      "von Nightowl: Lizenz Basic",
      `Bestellung ${id}`,
      "Datenschutz",
    ])
      expect(receipt?.text).toContain(part);
    expect(receipt?.html).toContain('<html lang="de">');
    expect(to(`producer-${beat}@example.com`)[0]?.subject).toBe("You sold Midnight <Lantern>: 29.90 USD");
    await driver`update users set language = null where id = ${api.userId}`;
  });

  it("without an account sends all mails in the language of the basket's page", async () => {
    const post = (url: string, form: Record<string, string>, cookie = "") =>
      api.request({
        method: "POST",
        url,
        headers: {
          origin: publicUrl,
          "content-type": "application/x-www-form-urlencoded",
          "accept-language": "de",
          cookie,
        },
        payload: new URLSearchParams(form).toString(),
      });
    const added = await post("/basket", { beat_id: String(beat), license_type: "basic", price: "2990" });
    const cookie = String([added.headers["set-cookie"]].flat()[0]).split(";")[0];
    const checkout = await post("/basket/checkout", { total: "2990", email: "kundin@example.com" }, cookie);
    await post(new URL(String(checkout.headers.location), publicUrl).pathname, { card: "pm_card_visa" });
    await send();
    expect(to("kundin@example.com").map(({ subject }) => subject)).toEqual(["Ihr Beleg von Beat Marketplace"]);
    expect(await driver`select language from users where email = 'kundin@example.com'`).toEqual([{ language: "de" }]);
    const [order] = await driver`select orders.id::int from orders join users on users.id = orders.user_id
      where users.email = 'kundin@example.com'`;
    await requestRefund(dependencies, order?.id, { amountCents: null, origin: "operator" });
    await send();
    expect(to("kundin@example.com").at(-1)?.subject).toBe("Ihre Erstattung für Midnight <Lantern>: 29,90 USD");
    expect(to("kundin@example.com").at(-1)?.text).toContain("Die Lizenz ist beendet.");
  });

  it("sends mails with dates in the time zone of each reader", async () => {
    await driver`update users set time_zone = 'Europe/Berlin' where id = ${api.userId}`;
    await driver`update users set time_zone = 'Asia/Tokyo' where id = ${producer}`;
    await buy();
    await send();
    expect(to(buyer)[0]?.text).toContain("26 November 2026 at 13:00 CET");
    expect(to(`producer-${beat}@example.com`)[0]?.text).toContain("26 November 2026 at 21:00 GMT+9");
    await driver`update users set time_zone = null`;
  });

  it("that is declined sends nothing", async () => {
    await buy("basic", "pm_card_visa_chargeDeclined");
    await send();
    expect(sentMails).toEqual([]);
  });

  it("of an exclusive license tells the producer that the beat is off sale, even if mails about sales are off", async () => {
    await driver`update users set sale_mails = false where id = ${producer}`;
    await buy("exclusive");
    await send();
    expect(to(`producer-${beat}@example.com`)[0]?.text).toContain("off sale from now on");
  });
});

describe("refunds and disputes", () => {
  it("each refund sends a mail to buyer and producer, with the state of the license", async () => {
    const { id } = await buy();
    await send();
    sentMails.length = 0;
    await requestRefund(dependencies, id, { amountCents: 990, origin: "operator" });
    await send();
    expect(subjects()).toEqual([
      "A refund of Midnight <Lantern>: 9.90 USD",
      "Your refund of Midnight <Lantern>: 9.90 USD",
    ]);
    expect(to(buyer)[0]?.text).toContain("The license stays yours.");
    sentMails.length = 0;
    await requestRefund(dependencies, id, { amountCents: null, origin: "operator" });
    await send();
    expect(to(buyer)[0]?.text).toContain("The license has ended.");
  });

  it("a dispute sends one mail to the buyer and to each operator, even if it is reported twice", async () => {
    await driver`update users set operator = true, email = 'olga@example.com' where id = (
      select id from users where email is null and id <> ${producer} limit 1)`;
    const { id } = await buy();
    await send();
    sentMails.length = 0;
    const order = await selectOrdersWithPayment(db).where("id", "=", id).executeTakeFirstOrThrow();
    const state = {
      reference: `dp_${id}`,
      amountCents: 2990,
      reason: "fraudulent",
      status: "open" as const,
      isWithdrawn: true,
      openedAt: clock.now(),
    };
    await disputeReported(dependencies, { order, state });
    await disputeReported(dependencies, { order, state });
    await send();
    expect(subjects()).toEqual([
      `Dispute over 29.90 USD: order ${id}`,
      "Your bank disputes the payment of Midnight <Lantern>",
    ]);
    expect(to("olga@example.com")[0]?.text).toContain("fraudulent");
    await driver`update users set operator = false where operator`;
  });
});

describe("the outbox", () => {
  it("sends nothing of a transaction that does not commit", async () => {
    await driver
      .begin(async (transaction) => {
        await transaction`insert into outgoing_mails (id, recipient, template, facts, created_at, due_at)
        values (gen_random_uuid(), 'x@example.com', 'receipt', '{}', now(), now())`;
        throw new Error("rolled back");
      })
      .catch(() => {});
    await send();
    expect(sentMails).toEqual([]);
  });

  it("sends a mail again with the same Message-ID when the lease of a crashed sender has expired", async () => {
    await buy();
    let first: string | undefined;
    const hangingMailer = {
      send: (mail: Mail) => {
        first ??= mail.messageId;
        return new Promise<void>(() => {});
      },
    };
    void send({ mailer: hangingMailer });
    await expect.poll(() => first).toBeDefined();
    await send();
    expect(sentMails.map(({ messageId }) => messageId)).not.toContain(first);
    clock.advance(120_000);
    await send();
    expect(sentMails.map(({ messageId }) => messageId)).toContain(first);
    expect(new Set(sentMails.map(({ messageId }) => messageId)).size).toBe(2);
  });

  it("sends each mail once, even with many concurrent senders", async () => {
    for (let count = 0; count < 10; count++) await buy();
    await Promise.all(Array.from({ length: 8 }, () => send()));
    expect(sentMails).toHaveLength(20);
    expect(new Set(sentMails.map(({ messageId }) => messageId)).size).toBe(20);
  });

  it("retries a refused mail for three days, sends other mails, and deletes the failed one a month later", async () => {
    await buy();
    const refusingMailer = {
      send: async (mail: Mail) => {
        if (mail.to === buyer) throw new Error("450 mailbox busy");
        sentMails.push(mail);
      },
    };
    await send({ mailer: refusingMailer });
    expect(subjects()).toEqual(["You sold Midnight <Lantern>: 29.90 USD"]);
    clock.advance(59_000);
    await send();
    expect(sentMails).toHaveLength(1);
    const watch = new MailWatch();
    await watch.measure(db, clock.now());
    expect(watch.state).toEqual({ waiting: 1, oldestSeconds: 59 });
    for (let hours = 0; hours < 80; hours++) {
      clock.advance(3_600_000);
      await send({ mailer: refusingMailer });
    }
    expect(
      await driver`select last_error, failed_at is not null as has_failed from outgoing_mails where sent_at is null`,
    ).toEqual([{ last_error: "450 mailbox busy", has_failed: true }]);
    await send();
    expect(sentMails).toHaveLength(1);
    clock.advance(31 * 86_400_000);
    await deleteOldOutgoingMails(db, clock.now());
    expect(await driver`select id from outgoing_mails`).toEqual([]);
  });
});

describe("reasons, amounts and moments", () => {
  const facts = {
    beat: "7",
    title: "Ember",
    message: "At 0:42.",
    link: "https://beats.example",
    reason: { text: "report.sample" },
    until: { moment: "2026-12-10T12:00:00Z" },
  } as const;
  const queueNotice = (language?: "en") =>
    queueMails(
      db,
      [{ userId: producer, to: `producer-${beat}@example.com`, template: "report-notice", language, facts }],
      new Date(clock.nowMs()),
    );

  it("are in the language and time zone that the account has when the mail is sent", async () => {
    await queueNotice();
    await driver`update users set language = 'de', time_zone = 'Europe/Berlin' where id = ${producer}`;
    await send();
    expect(sentMails[0]?.text).toContain("gemeldet: Er enthält ein Sample ohne Freigabe.");
    expect(sentMails[0]?.text).toContain("bis 10. Dezember 2026 um 13:00 MEZ");
  });

  it("are in the language of the mail, if it has one, and in UTC without a time zone", async () => {
    await driver`update users set language = 'de', time_zone = null where id = ${producer}`;
    await queueNotice("en");
    await send();
    expect(sentMails[0]?.text).toContain("It has a sample that is not cleared");
    expect(sentMails[0]?.text).toContain("10 December 2026 at 12:00 UTC");
  });

  it("are in the language of the preview, including percentages and amounts", () => {
    const preview = (name: "split-offered" | "payout-sent" | "refund-requested") =>
      renderMail(mailTexts.de[name], templates[name].sample, { locale: locales.de, brand, unsubscribeUrl: null }).text;
    expect(preview("split-offered")).toContain("25 % von jedem Verkauf");
    expect(preview("payout-sent")).toContain("412,50 EUR wurde gesendet. Ziel: das Konto DE89 … 3000");
    expect(preview("refund-requested")).toContain("Die Dateien sind beschädigt oder fehlen");
  });
});

describe("each mail", () => {
  test("is in docs/mails.md", async () => {
    const text = await readFile(new URL("../../../../docs/mails.md", import.meta.url), "utf8");
    expect(templateNames.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(templateNames.flatMap((name) => languageCodes.map((language) => [name, language] as const)))(
    "%s in %s has a text part and an HTML part with the same content",
    async (name, language) => {
      const sample = localized(templates[name].sample, locales[language], null);
      const text = mailTexts[language][name];
      const mail = renderMail(text, sample, { locale: locales[language], brand, unsubscribeUrl: null });
      const parsedMail = await composeAndParse({ to: "reader@example.com", ...mail, messageId: "0b8f5f3e" });
      expect(parsedMail.subject).toBe(mail.subject);
      expect(parsedMail.messageId).toBe("<0b8f5f3e@example.com>");
      expect(parsedMail.from?.address).toBe("beats@example.com");
      expect(mail.text).not.toMatch(/\{\w+\}/);
      // A built-in template may omit facts, which an operator's template may use.
      const facts = Object.entries(sample).flatMap(([fact, value]) => (text.includes(`{${fact}}`) ? value : []));
      for (const fact of facts) {
        expect(`${mail.subject} ${parsedMail.text}`.replace(/\s+/g, " ")).toContain(fact);
        expect(parsedMail.html).toContain(fact);
      }
      expect(parsedMail.text).toContain("Acme Beats Ltd, 1 High Street");
      expect(parsedMail.html).toContain(`<html lang="${language}">`);
      expect(parsedMail.html).not.toMatch(/<(script|link|iframe)|src="http/);
    },
  );

  it("shows HTML, headers and line breaks of a title as plain text", () => {
    const { subject, text, html } = renderMail(
      mailTexts.en.sold,
      { ...templates.sold.sample, title: "<b>\r\nBcc: x@y.z {amount}" },
      { locale: locales.en, brand, unsubscribeUrl: null },
    );
    expect(subject).toBe("You sold <b> Bcc: x@y.z {amount}: 59.90 USD");
    expect(text).not.toContain("\r");
    expect(html).not.toContain("<b>");
  });
});

describe("mails about sales", () => {
  const call = (method: "GET" | "POST", url: string, payload?: string) =>
    api.request({
      method,
      url: new URL(url).pathname + new URL(url).search,
      ...(payload !== undefined && { payload, headers: { "content-type": "application/x-www-form-urlencoded" } }),
    });

  it("can be switched off by one click in a mail program, and switched on again on the page, without a session", async () => {
    await buy();
    await send();
    const [mail] = to(`producer-${beat}@example.com`);
    const url = /<(.+)>/.exec(mail?.headers?.["List-Unsubscribe"] ?? "")?.[1] ?? "";
    expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(mail?.text).toContain(url);
    expect((await call("GET", url)).body).toContain("You get a mail");
    expect((await call("POST", url, "List-Unsubscribe=One-Click")).statusCode).toBe(200);
    sentMails.length = 0;
    await buy();
    await send();
    expect(to(`producer-${beat}@example.com`)).toEqual([]);
    expect(to(buyer)).toHaveLength(1);
    await call("POST", url, "sale_mails=on");
    await buy();
    await send();
    expect(to(`producer-${beat}@example.com`)).toHaveLength(1);
  });

  it("cannot be switched by a link that was signed for another account", async () => {
    const url = new URL(preferencesUrl(publicUrl, webhookSecrets, producer));
    url.searchParams.set("user", String(api.userId));
    expect((await call("GET", url.href)).statusCode).toBe(404);
    expect((await call("POST", url.href, "sale_mails=off")).statusCode).toBe(404);
  });
});

describe("an operator's folder", () => {
  const folder = async (files: Record<string, string>) => {
    const path = await mkdtemp(join(tmpdir(), "templates-"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
    return path;
  };

  it("replaces the mails that it has", async () => {
    const texts = await openTemplates(await folder({ "receipt.md": "# Danke von {site}\n\n{items}\n\n{link}\n" }));
    const { subject, text } = renderMail(texts.en.receipt, templates.receipt.sample, {
      locale: locales.en,
      brand,
      unsubscribeUrl: null,
    });
    expect(subject).toBe("Danke von Beat Marketplace");
    expect(text).toContain("- Midnight Lantern");
    expect(texts.de.receipt).toBe(texts.en.receipt);
    expect(texts.en.refund).toBe(mailTexts.en.refund);
    expect(texts.de.refund).toBe(mailTexts.de.refund);
  });

  it("replaces a mail in one language from the folder of that language, and rejects unknown files there", async () => {
    const path = await folder({ "receipt.md": "# Thank you\n\n{link}\n" });
    await mkdir(join(path, "de"));
    await writeFile(join(path, "de", "receipt.md"), "# Danke\n\n{link}\n");
    const texts = await openTemplates(path);
    expect([texts.en.receipt, texts.de.receipt]).toEqual(["# Thank you\n\n{link}", "# Danke\n\n{link}"]);
    await writeFile(join(path, "de", "recipt.md"), "# Danke");
    await expect(openTemplates(path)).rejects.toThrow(join("de", "recipt.md"));
  });

  it.each([
    [{ "recipt.md": "# x" }, "replaces no mail"],
    [{ "receipt.md": "no subject" }, "does not begin with a subject"],
    [{ "receipt.md": "# {producer}" }, "has {producer}, which nothing fills in"],
  ] as [Record<string, string>, string][])(
    "is rejected if it has %j, or if it cannot be read",
    async (files, reason) => {
      await expect(openTemplates(await folder(files))).rejects.toThrow(reason);
      await expect(openTemplates("/nonexistent")).rejects.toThrow("cannot be read");
    },
  );
});

test("a mail that is recorded late has the time and the library's link of the moment at which it was due", async () => {
  const dueAt = clock.now();
  const facts = { opens: "library", link: `${publicUrl}/library` };
  await queueMails(db, [{ userId: null, to: "ada@example.com", template: "library", facts }], dueAt);
  clock.advance(5 * 86_400_000);
  const recorded: object[] = [];
  await send({
    record: async (_, mails) => void recorded.push(...mails.map(({ text, sentAt }) => ({ text, sentAt }))),
    libraryUrl: async (_, at) => `${publicUrl}/library/${at.toISOString()}`,
  });
  expect(recorded).toEqual([
    { text: expect.stringContaining(`${publicUrl}/library/${dueAt.toISOString()}`), sentAt: dueAt },
  ]);
});
