import { scripts } from "../../../../contract/texts/en/scripts.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";

const keys = Object.keys(scripts) as (keyof typeof scripts)[];

/** The texts of a page's scripts in its language: portal/src/site/texts.ts reads them. */
export const scriptTexts = (locale: Locale): string =>
  `<script type="application/json" id="texts">${JSON.stringify(locale.written(keys)).replaceAll("<", "\\u003c")}</script>`;
