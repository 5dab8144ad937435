const typingMs = 180;
const retryMs = 2_000;

/**
 * Searches while somebody types: the parts of the page that depend on the search come from the server as HTML, and the
 * address says what is shown, so that it can be shared, reloaded and gone back to.
 */
export function searchWhileTyping(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-search]");
  const input = form?.querySelector<HTMLInputElement>("input[name=q]");
  if (!form || !input) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTyping = false;

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // One entry of the history for each search, not for each letter.
      go(addressOf(input.value), isTyping ? "replace" : "push");
      isTyping = true;
    }, typingMs);
  });
  input.addEventListener("blur", () => {
    isTyping = false;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    go(addressOf(input.value), isTyping ? "replace" : "push");
    isTyping = false;
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-live]");
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const address = link.pathname + link.search;
    input.value = new URLSearchParams(link.search).get("q") ?? "";
    go(address, "push", true);
  });
  addEventListener("popstate", () => {
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    show(location.pathname + location.search);
  });
}

function addressOf(text: string): string {
  const q = text.trim();
  return q === "" ? "/" : `/?${new URLSearchParams({ q })}`;
}

function go(address: string, how: "push" | "replace", movesFocus = false): void {
  if (address === location.pathname + location.search) return;
  history[how === "push" ? "pushState" : "replaceState"](null, "", address);
  show(address, movesFocus);
}

let current: AbortController | undefined;

async function show(address: string, movesFocus = false): Promise<void> {
  current?.abort();
  const controller = new AbortController();
  current = controller;
  const results = document.getElementById("results");
  results?.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(`/site/results${address.slice(1)}`, { signal: controller.signal });
    const html = await response.text();
    if (!response.ok) throw new Refusal(response);
    const parts = document.createElement("template");
    parts.innerHTML = html;
    const language = document.querySelector<HTMLInputElement>("#call .tabs :checked")?.value;
    for (const part of [...parts.content.children]) document.getElementById(part.id)?.replaceWith(part);
    const tab = document.querySelector<HTMLInputElement>(`#call .tabs [value="${language ?? "javascript"}"]`);
    if (tab !== null) tab.checked = true;
    document.dispatchEvent(new Event("beats-shown"));
    if (movesFocus) document.getElementById("results-title")?.focus();
  } catch (error) {
    if (controller.signal.aborted) return;
    const seconds = error instanceof Refusal ? error.retrySeconds : retryMs / 1_000;
    say(
      error instanceof Refusal
        ? `Many searches came from your network. Trying again in ${seconds} s.`
        : "Connection lost, trying again.",
    );
    setTimeout(() => {
      if (current === controller) show(location.pathname + location.search);
    }, seconds * 1_000);
  } finally {
    if (current === controller) document.getElementById("results")?.removeAttribute("aria-busy");
  }
}

class Refusal extends Error {
  readonly retrySeconds: number;
  constructor(response: Response) {
    super(`${response.status}`);
    this.retrySeconds = Math.max(1, Number(response.headers.get("retry-after")) || 2);
  }
}

function say(text: string): void {
  const status = document.getElementById("results-status");
  if (status !== null) status.textContent = text;
}
