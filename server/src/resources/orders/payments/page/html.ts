import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { Locale } from "../../../../../../contract/texts/locale.ts";

/** The page on which a buyer pays an order or a checkout. */
export const paymentHtml: HtmlPage = htmlPage({
  name: "Payment",
  hasForms: true,
  style: `
main, .site { max-width: 520px }
p a { color: var(--accent) }
h1 { font: 600 24px/1.25 system-ui, sans-serif }
dl { margin: 0 0 20px; border-top: 1px solid var(--line) }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 12px 0; border-bottom: 1px solid var(--line) }
dt { color: var(--faint) }
dd { text-align: end; font-weight: 600 }
form { display: grid; gap: 12px }
.button { display: block; width: 100%; min-height: 48px; padding: 12px 16px; border: 1px solid #6a4fe0; border-radius: 8px;
  background: #5b3fd6; color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
.plain { background: none; border-color: var(--line); color: var(--text) }
h2 { margin: 24px 0 8px; font-size: 16px }
ul { margin: 0; padding: 0; list-style: none }
li { padding: 12px 0; border-bottom: 1px solid var(--line) }
li a { color: var(--accent); font-weight: 600 }
.files { display: flex; flex-wrap: wrap; gap: 4px 16px; padding-top: 4px }
.card small { display: block; font-weight: 400 }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`,
});

/** The reader's language, and the name of payment pages in that language. */
export const kindIn = (locale: Locale) => ({ language: locale.language, kind: locale.t("pay.name") });
