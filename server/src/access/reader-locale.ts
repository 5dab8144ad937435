import { preferredLanguage } from "@beatmarket/http/negotiation/language.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { isLanguage, type Language, languageCodes } from "../../../contract/texts/languages.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import { locales } from "../../../contract/texts/locales.ts";

/** The cookie with the language that the reader chose in the footer of a page. */
export const languageCookie = "language";

/** What a page in the reader's language depends on. */
export const languageVary = "Accept-Language, Cookie";

/** The language of a page: the chosen one, or the one that the browser prefers. */
export const readerLocale = ({ requestHeaders }: Pick<RequestContext, "requestHeaders">): Locale =>
  negotiated(requestHeaders.cookie, requestHeaders["accept-language"]);

/** The same by the headers of the Fetch API. */
export const localeOf = (headers: Headers): Locale =>
  negotiated(headers.get("cookie") ?? "", headers.get("accept-language") ?? "");

function negotiated(cookie = "", accepted = ""): Locale {
  const chosen = /(?:^|; *)language=([a-z]+)(?:;|$)/.exec(cookie)?.[1];
  return locales[isLanguage(chosen) ? chosen : preferredLanguage(accepted, languageCodes as [Language, ...Language[]])];
}
