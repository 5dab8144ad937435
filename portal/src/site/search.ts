import { fetchWatched, responding } from "./connection.ts";
import { keepAddress } from "./pages.ts";
import { locale } from "./texts.ts";

const typingMs = 180;
const retrySeconds = 2;

/**
 * Searches while the user types: the server sends the results as HTML, and the address contains the search, so that it
 * can be shared, reloaded and reached with Back.
 */
export function searchWhileTyping(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTyping = false;

  document.addEventListener("input", ({ target }) => {
    const input = searchInputAt(target);
    if (input === null) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!input.isConnected) return;
      // One history entry for each search, not for each letter.
      go(addressOf(input.value), isTyping ? "replace" : "push");
      isTyping = true;
    }, typingMs);
  });
  document.addEventListener("focusout", ({ target }) => {
    if (searchInputAt(target) !== null) isTyping = false;
  });
  document.addEventListener("submit", (event) => {
    const input = (event.target as Element).querySelector<HTMLInputElement>(searchInput);
    if (input === null) return;
    event.preventDefault();
    clearTimeout(timer);
    go(addressOf(input.value), isTyping ? "replace" : "push");
    isTyping = false;
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-live]");
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const input = document.querySelector<HTMLInputElement>(searchInput);
    if (input !== null) input.value = new URLSearchParams(link.search).get("q") ?? "";
    go(link.pathname + link.search, "push", true);
  });
}

const searchInput = "[data-search] input[name=q]";
const searchInputAt = (target: EventTarget | null): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.matches(searchInput) ? target : null;

function addressOf(text: string): string {
  const q = text.trim();
  return q === "" ? "/" : `/?${new URLSearchParams({ q })}`;
}

function go(address: string, mode: "push" | "replace", movesFocus = false): void {
  if (address === location.pathname + location.search) return;
  keepAddress(address, mode);
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
    const response = await fetchWatched(`/site/results${address.slice(1)}`, { signal: controller.signal });
    const html = await response.text();
    if (!response.ok) throw new Refusal(response);
    const parts = document.createElement("template");
    parts.innerHTML = html;
    const language = document.querySelector<HTMLInputElement>("#call .tabs :checked")?.value;
    for (const part of [...parts.content.children]) document.getElementById(part.id)?.replaceWith(part);
    const tab = document.querySelector<HTMLInputElement>(`#call .tabs [value="${language ?? "javascript"}"]`);
    if (tab !== null) tab.checked = true;
    document.title = document.getElementById("results")?.dataset.title ?? document.title;
    document.dispatchEvent(new Event("beats-shown"));
    if (movesFocus) document.getElementById("results-title")?.focus();
  } catch (error) {
    if (controller.signal.aborted) return;
    void showLater(controller, error);
  } finally {
    if (current === controller) document.getElementById("results")?.removeAttribute("aria-busy");
  }
}

/** Repeats a search automatically when the throttle allows it or after an outage, unless a newer search has started. */
async function showLater(failed: AbortController, error: unknown): Promise<void> {
  const { status, seconds } = error instanceof Refusal ? error : { status: 0, seconds: retrySeconds };
  if (status === 429) say(locale.t("script.throttled", { seconds }));
  else {
    say(locale.t("script.failed"));
    await responding();
  }
  setTimeout(() => {
    if (current === failed) void show(location.pathname + location.search);
  }, seconds * 1_000);
}

class Refusal extends Error {
  readonly status: number;
  /** The wait before the next attempt. */
  readonly seconds: number;
  constructor({ status, headers }: Response) {
    super(String(status));
    this.status = status;
    this.seconds = Math.max(1, Number(headers.get("retry-after")) || retrySeconds);
  }
}

function say(text: string): void {
  const status = document.getElementById("results-status");
  if (status !== null) status.textContent = text;
}
