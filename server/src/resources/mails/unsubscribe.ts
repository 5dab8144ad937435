import { createHmac, timingSafeEqual } from "node:crypto";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { readerLocale } from "../../access/reader-locale.ts";
import type { Queryable } from "../../database/connect.ts";
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

/**
 * Returns the URL of the page on which a reader unsubscribes from mails about sales, or subscribes again. The page
 * needs no session.
 */
export const preferencesUrl = (publicUrl: string, secrets: Pick<SecretBox, "downloadKeys">, userId: number): string =>
  `${publicUrl}${path}?${new URLSearchParams({ user: String(userId), signature: signatureOf(secrets.downloadKeys[0], userId) })}`;

/** Returns the account of a link with a valid signature, and null for every other link. */
function accountOf({ query }: RequestContext, { downloadKeys }: Pick<SecretBox, "downloadKeys">): number | null {
  const parameters = new URLSearchParams(query);
  const user = parameters.get("user") ?? "";
  const received = Buffer.from(parameters.get("signature") ?? "");
  if (!/^[1-9]\d{0,15}$/.test(user)) return null;
  const isValid = downloadKeys.some((key) => {
    const expected = Buffer.from(signatureOf(key, Number(user)));
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  return isValid ? Number(user) : null;
}

/** GET shows the state. POST unsubscribes or subscribes again. Mail programs unsubscribe with one POST (RFC 8058). */
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
    const locale = readerLocale(context);
    return account === undefined ? unknownLinkPage(locale) : settingsPage(locale, account.sale_mails);
  }),
  openRoute(
    path,
    async (context) => {
      const userId = accountOf(context, secrets);
      const locale = readerLocale(context);
      if (userId === null) return unknownLinkPage(locale);
      const isOn = new URLSearchParams(context.body?.toString("utf8")).get("sale_mails") === "on";
      await changeMailPreferences(db, userId, { sale_mails: isOn });
      return settingsPage(locale, isOn);
    },
    { method: "POST", bodyLimits: { maxBytes: 1_000 } },
  ),
];

const kindIn = (locale: Locale) => ({ language: locale.language, kind: locale.t("preferences.name") });

const settingsPage = (locale: Locale, isOn: boolean) =>
  page(200, {
    ...kindIn(locale),
    title: locale.t("preferences.title"),
    body: `<h1>${locale.t("preferences.title")}</h1>
<p role="status">${locale.t(isOn ? "preferences.on" : "preferences.off")}</p>
<form method="post"><button name="sale_mails" value="${isOn ? "off" : "on"}">${locale.t(isOn ? "preferences.switchOff" : "preferences.switchOn")}</button></form>`,
  });

const unknownLinkPage = (locale: Locale) =>
  page(404, {
    ...kindIn(locale),
    title: locale.t("preferences.unknown"),
    body: `<h1>${locale.t("preferences.unknown")}</h1><p>${locale.t("preferences.unknownHint")}</p>`,
  });
