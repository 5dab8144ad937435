import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { isLanguage, languageCodes } from "../../../../contract/texts/languages.ts";
import type { Account } from "../../access/account.ts";
import { languageCookie } from "../../access/reader-locale.ts";
import type { Queryable } from "../../database/connect.ts";
import { changeMailPreferences } from "../../resources/users/mail-preferences.ts";

const maxBodyBytes = 4_000;
const yearSeconds = 31_536_000;

interface LanguageRouteParts {
  db: Queryable;
  /** The signed-in account; null for strangers. */
  findAccount(headers: Headers): Promise<Account | null>;
}

/**
 * `POST /language`, the form in the footer of all pages: stores the chosen language in a cookie, and returns to the
 * page. Mails to the signed-in account use this language too.
 */
export const languageRoutes = (parts: LanguageRouteParts): Route[] => [
  openRoute("/language", (context) => choose(parts, context), {
    method: "POST",
    bodyLimits: { maxBytes: maxBodyBytes },
  }),
];

async function choose({ db, findAccount }: LanguageRouteParts, context: RequestContext): Promise<HttpResponse> {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const fields = new URLSearchParams(context.body?.toString("utf8"));
  const language = fields.get("language");
  if (!isLanguage(language)) throw invalidRequest(`The language is one of ${languageCodes.join(", ")}.`, "language");
  const account = await findAccount(context.webHeaders);
  if (account !== null) await changeMailPreferences(db, account.personId, { language });
  context.setCookies([`${languageCookie}=${language}; Path=/; Secure; SameSite=Lax; Max-Age=${yearSeconds}`]);
  return { status: 303, headers: { "cache-control": "no-store", location: pathBack(context, fields.get("back")) } };
}

/** The path in the form, or the page that sent the form; the front page for a form of another site. */
function pathBack({ requestHeaders, publicUrl }: RequestContext, requestedPath: string | null): string {
  const { referer = "", host } = requestHeaders;
  const url = URL.parse(requestedPath ?? referer, publicUrl);
  const isOurs = url !== null && (url.origin === new URL(publicUrl).origin || url.origin === `https://${host}`);
  return isOurs ? `${url.pathname}${url.search}` : "/";
}
