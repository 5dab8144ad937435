import { tokenClasses, tokensOf } from "../../../contract/snippets/tokens.ts";
import { fetchWatched } from "./connection.ts";
import { locale } from "./texts.ts";

/** Shows the copy buttons of calls. Each copies the program of the chosen language. */
export function copyPrograms(): void {
  const show = () => {
    for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = false;
  };
  document.addEventListener("beats-shown", show);
  document.addEventListener("page-shown", show);
  document.addEventListener("click", async (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
    const call = button?.closest(".call");
    if (!button || !call) return;
    const language = call.querySelector<HTMLInputElement>(".tabs :checked")?.value ?? "curl";
    const program = call.querySelector(`.program.${language} pre`)?.textContent ?? "";
    button.textContent = await navigator.clipboard.writeText(program).then(
      () => locale.t("script.copied"),
      () => locale.t("script.notCopied"),
    );
  });
  show();
}

/** "Run" sends the call that the page shows, and replaces the last response. */
export function runCalls(): void {
  document.addEventListener("submit", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>("form[data-run]");
    if (form === null) return;
    event.preventDefault();
    void run(form);
  });
}

async function run(form: HTMLFormElement): Promise<void> {
  const call = form.closest(".call");
  const output = call?.querySelector("pre[data-response]");
  const status = call?.querySelector("[data-status]");
  if (!output || !status) return;
  status.textContent = locale.t("script.sending");
  const query = new URLSearchParams(new FormData(form) as never);
  const startedMs = performance.now();
  try {
    const response = await fetchWatched(`${form.getAttribute("action")}?${query}`, {
      headers: { accept: "application/json" },
    });
    const body = await response.arrayBuffer();
    status.textContent = locale.t("script.response", {
      status: String(response.status),
      ms: String(Math.round(performance.now() - startedMs)),
      bytes: String(body.byteLength),
    });
    showJson(output, new TextDecoder().decode(body));
  } catch {
    status.textContent = locale.t("script.unreachable");
  }
}

/** Indents and colours a JSON text. No part of it is interpreted as HTML. */
function showJson(output: Element, body: string): void {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Not JSON, for example a proxy's error page: shown unchanged.
  }
  const parts = tokensOf(text, "json").map(({ text: content, kind }) => {
    if (kind === null) return content;
    const span = document.createElement("span");
    span.className = tokenClasses[kind];
    span.textContent = content;
    return span;
  });
  output.replaceChildren(...parts);
}
