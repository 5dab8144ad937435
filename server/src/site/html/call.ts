import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type Call, type Connection, queryString, rawCall } from "../../../../contract/snippets/call.ts";
import { installLine } from "../../../../contract/snippets/install.ts";
import { type Language, languageLabels } from "../../../../contract/snippets/language.ts";
import { snippetFor } from "../../../../contract/snippets/snippets.ts";
import { type CodeLanguage, codeLanguage, tokenClasses, tokensOf } from "../../../../contract/snippets/tokens.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";

/** Code as HTML with syntax highlighting. */
export const highlighted = (code: string, language: CodeLanguage): string =>
  tokensOf(code, language)
    .map(({ text, kind }) =>
      kind === null ? escapeHtml(text) : `<span class="${tokenClasses[kind]}">${escapeHtml(text)}</span>`,
    )
    .join("");

/** The command that installs a library, above a program that uses it. Empty for curl. */
export const installation = (line: string | undefined): string =>
  line === undefined ? "" : `<p class="install"><code>${highlighted(line, "shell")}</code></p>`;

export interface RunnableCall {
  call: Call;
  connection: Connection;
  /** The address of the same response without a key, and its query. */
  action: string;
  fields: Readonly<Record<string, string>>;
  /** A response of the API that the page contains. */
  response: object;
}

const languages = Object.keys(languageLabels) as Language[];

/** A call in six languages next to its response. The page can run the call without a key, at a separate address. */
export function callPanel(locale: Locale, { call, connection, action, fields, response }: RunnableCall): string {
  const { method, path, query } = rawCall(call);
  const shownPath = `${new URL(connection.baseUrl).pathname}${path}${queryString(query)}`;
  return `<div class="call">
<div>
<fieldset class="call-head tabs"><legend class="visually-hidden">${locale.t("call.language")}</legend>
${languages
  .map(
    (language) =>
      `<label><input type="radio" name="language" value="${language}"${language === "javascript" ? " checked" : ""}>${languageLabels[language]}</label>`,
  )
  .join("\n")}
<button class="button end" type="button" data-copy hidden>${locale.t("call.copy")}</button>
</fieldset>
${languages
  .map(
    (language) =>
      `<div class="program ${language}">${installation(installLine(language, connection))}<pre tabindex="0" role="region" aria-label="${locale.t("call.in", { language: languageLabels[language] })}"><code>${highlighted(snippetFor(language, call, connection), codeLanguage(language))}</code></pre></div>`,
  )
  .join("\n")}
</div>
<div>
<form class="call-head" data-run action="${action}" method="get">
${Object.entries(fields)
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
  .join("\n")}
<span class="mono path">${method} ${escapeHtml(shownPath)}</span>
<span class="dim end" data-status role="status"></span>
<button class="button primary">${locale.t("call.run")}</button>
</form>
<pre tabindex="0" role="region" aria-label="${locale.t("call.response")}" data-response>${highlighted(JSON.stringify(response, null, 2), "json")}</pre>
</div>
</div>`;
}
