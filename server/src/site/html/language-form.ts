import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { languageCodes, languages } from "../../../../contract/texts/languages.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { legalPages } from "../../site-settings.ts";

/** A button for each other language. `back` is the path of the page that follows, by default the page with the form. */
export const languageForm = ({ language }: Locale, back?: string): string =>
  `<form class="languages" method="post" action="/language">${
    back === undefined ? "" : `<input type="hidden" name="back" value="${escapeHtml(back)}">`
  }${languageCodes
    .filter((code) => code !== language)
    .map((code) => `<button name="language" value="${code}" lang="${code}">${languages[code].name}</button>`)
    .join("")}</form>`;

/** The pages of the operator. */
export const legalLinks = (locale: Locale): string =>
  legalPages.map(({ slug, path }) => `<a href="${path}">${locale.t(`legal.${slug}`)}</a>`).join("\n");
