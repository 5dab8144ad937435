import { createHmac, timingSafeEqual } from "node:crypto";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Queryable } from "../../database/connect.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { changeMailPreferences } from "../users/mail-preferences.ts";

const path = "/mails/preferences";

const page: HtmlPage = htmlPage({
  name: "Mails",
  hasForms: true,
  style: `
main { max-width: 520px }
form { margin-top: 16px }
button { min-height: 48px; padding: 12px 16px; border: 1px solid #6a4fe0; border-radius: 8px; background: #5b3fd6; color: #fff;
  font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`,
});

const signatureOf = (key: Buffer, userId: number): string =>
  createHmac("sha256", key).update(`mails/${userId}`).digest("base64url");

/** The page on which an account switches mails about sales off and on, without a session. */
export const preferencesUrl = (publicUrl: string, secrets: Pick<SecretBox, "downloadKeys">, userId: number): string =>
  `${publicUrl}${path}?${new URLSearchParams({ user: String(userId), signature: signatureOf(secrets.downloadKeys[0], userId) })}`;

/** The account of a link that we signed; null for any other. */
function accountOf({ query }: RequestContext, { downloadKeys }: Pick<SecretBox, "downloadKeys">): number | null {
  const parameters = new URLSearchParams(query);
  const user = parameters.get("user") ?? "";
  const given = Buffer.from(parameters.get("signature") ?? "");
  if (!/^[1-9]\d{0,15}$/.test(user)) return null;
  const isOurs = downloadKeys.some((key) => {
    const expected = Buffer.from(signatureOf(key, Number(user)));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs ? Number(user) : null;
}

/** GET shows what is on. POST switches it off, as mail programs do by one click (RFC 8058), or on again. */
export const mailPreferenceRoutes = ({
  db,
  secrets,
}: {
  db: Queryable;
  secrets: Pick<SecretBox, "downloadKeys">;
}): Route[] => [
  openRoute(path, async (context) => {
    const userId = accountOf(context, secrets);
    const account =
      userId === null
        ? undefined
        : await db.selectFrom("users").select("sale_mails").where("id", "=", userId).executeTakeFirst();
    return account === undefined ? unknown() : shown(account.sale_mails);
  }),
  openRoute(
    path,
    async (context) => {
      const userId = accountOf(context, secrets);
      if (userId === null) return unknown();
      const isOn = new URLSearchParams(context.body?.toString("utf8")).get("sale_mails") === "on";
      await changeMailPreferences(db, userId, { sale_mails: isOn });
      return shown(isOn);
    },
    { method: "POST", bodyLimits: { maxBytes: 1_000 } },
  ),
];

const shown = (isOn: boolean) =>
  page(200, {
    title: "Mails about sales",
    body: `<h1>Mails about sales</h1>
<p role="status">You ${isOn ? "get" : "no longer get"} a mail for each license that you sell. Receipts, refunds and sales of exclusive licenses are always sent.</p>
<form method="post"><button name="sale_mails" value="${isOn ? "off" : "on"}">${isOn ? "Switch these mails off" : "Switch these mails on"}</button></form>`,
  });

const unknown = () =>
  page(404, {
    title: "Unknown link",
    body: "<h1>Unknown link</h1><p>Open the link as the mail has it: all of it is needed.</p>",
  });
