import { ConnectionWatch } from "../api/connection-watch.ts";
import { locale } from "./texts.ts";

// The connection of server-rendered documents. Following a link during an outage would replace the current document
// with the browser's error page.

/** The time limit of a request, which would otherwise wait for minutes on a broken connection. */
const timeoutMs = 8_000;

const notice = document.createElement("div");
let isLost = false;
const waiting: (() => void)[] = [];
const watch = new ConnectionWatch({
  // Public pages have many visitors, so they probe rarely.
  idleMs: 30_000,
  probeTimeoutMs: timeoutMs,
  isLost: () => isLost,
  onProbe: (isThere) => {
    isLost = !isThere;
    notice.textContent = isLost ? locale.t("script.lost") : "";
    if (isThere) for (const resolve of waiting.splice(0)) resolve();
  },
});

/** Shows a lost connection, and delays links until the connection is back. Call this function once. */
export function watchConnection(): void {
  // The element is always in the document, so that screen readers announce its text.
  notice.className = "connection";
  notice.ariaLive = "polite";
  document.body.append(notice);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (link === null || !leavesDocument(link, event)) return;
    event.preventDefault();
    void openDocument(link.href, link.target === "_top" ? top : window);
  });
  watch.start();
}

let latest = 0;

/** Opens another document once the server responds. Only the latest request counts. */
export async function openDocument(address: string, frame: Window | null = window): Promise<void> {
  const requestNumber = ++latest;
  await responding();
  if (requestNumber === latest) frame?.location.assign(address);
}

/** Resolves once the server responds. */
export async function responding(): Promise<void> {
  if (!(await watch.check())) await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Like `fetch` for reads, but has a time limit and detects an outage. */
export async function fetchWatched(address: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  try {
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    watch.recordResponse(response);
    return response;
  } catch (error) {
    if (signal?.aborted !== true) void watch.check();
    throw error;
  }
}

/** Whether a click opens another document of this server in this tab, and no other handler has handled the click. */
function leavesDocument(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const hasKeys = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const isHere = link.target === "" || link.target === "_top";
  const isPlace = link.hash !== "" && link.href.split("#")[0] === location.href.split("#")[0];
  if (event.defaultPrevented || event.button !== 0 || hasKeys) return false;
  return isHere && !isPlace && link.origin === location.origin;
}
