import type { ApiError } from "@beatmarket/foundation/errors.ts";
import { preferredLanguage } from "@beatmarket/http/negotiation/language.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { isLanguage, type Language, languageCodes } from "../../../contract/texts/languages.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import { locales } from "../../../contract/texts/locales.ts";

/** The cookie with the language that the reader chose in the footer of a page. */
export const languageCookie = "language";

/** The headers on which the language of a page depends. */
export const languageVary = "Accept-Language, Cookie";

/** The language of a page: the choice of the reader, else the preference of the browser. */
export const readerLocale = ({ requestHeaders }: Pick<RequestContext, "requestHeaders">): Locale =>
  negotiateLocale(requestHeaders.cookie, requestHeaders["accept-language"]);

/** The language of a page, from headers of the Fetch API. */
export const localeOf = (headers: Headers): Locale =>
  negotiateLocale(headers.get("cookie") ?? "", headers.get("accept-language") ?? "");

function negotiateLocale(cookie = "", accepted = ""): Locale {
  const chosenLanguage = /(?:^|; *)language=([a-z]+)(?:;|$)/.exec(cookie)?.[1];
  return locales[
    isLanguage(chosenLanguage)
      ? chosenLanguage
      : preferredLanguage(accepted, languageCodes as [Language, ...Language[]])
  ];
}

type Problem = Pick<ApiError, "status" | "message" | "details" | "refusedBy">;

/** The texts of frequent refusals, by reason. */
const textsOfReasons = {
  "parameter:email": "failure.email",
  "limit:payments": "basket.tooMany",
  takedown: "failure.goneHint",
} as const;

const hasText = (reason: string | null): reason is keyof typeof textsOfReasons =>
  reason !== null && Object.hasOwn(textsOfReasons, reason);

/**
 * The advice of an error, for a page. English has the text of the error; other languages have a text for its reason or
 * status.
 */
export function problemText(locale: Locale, { status, details, refusedBy }: Problem): string {
  if (locale.language === "en") return details;
  if (hasText(refusedBy)) return locale.t(textsOfReasons[refusedBy]);
  if (status === 403) return locale.t("failure.forbiddenHint");
  if (status === 404) return locale.t("failure.mistyped");
  if (status === 429) return locale.t("failure.tooManyHint");
  if (status >= 500) return locale.t("failure.brokenHint");
  const hint = locale.t(status === 409 ? "failure.changedHint" : "failure.wrongHint");
  return locale.t("failure.detailed", { hint, details });
}

/** The heading of a page about an error. */
export function problemTitle(locale: Locale, { status, message }: Problem): string {
  if (locale.language === "en") return message;
  if (status === 403) return locale.t("failure.forbidden");
  if (status === 404) return locale.t("failure.notFound");
  if (status === 410) return locale.t("failure.gone");
  if (status === 429) return locale.t("failure.tooMany");
  return locale.t(status >= 500 ? "failure.broken" : "failure.wrong");
}
