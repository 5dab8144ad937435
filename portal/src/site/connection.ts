import { ConnectionWatch } from "../api/connection-watch.ts";
import { locale } from "./texts.ts";

// Whether the server and its database respond, for the documents that the server writes. Their links lead to other
// documents: in an outage the browser's error page would replace them and stay there.

/** On a broken connection a request would wait for minutes. */
const timeoutMs = 8_000;

const notice = document.createElement("div");
let isLost = false;
const waiting: (() => void)[] = [];
const watch = new ConnectionWatch({
  // There are many strangers, so they ask rarely.
  idleMs: 30_000,
  probeTimeoutMs: timeoutMs,
  isLost: () => isLost,
  onProbe: (isThere) => {
    isLost = !isThere;
    notice.textContent = isLost ? locale.t("script.lost") : "";
    if (isThere) for (const resolve of waiting.splice(0)) resolve();
  },
});

/** Shows that the connection is lost, and lets links wait until it is back. Call it once. */
export function watchConnection(): void {
  // Always in the document, so that a screen reader announces its text.
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
  const wish = ++latest;
  await responding();
  if (wish === latest) frame?.location.assign(address);
}

/** Asks whether the server responds, and resolves once it does. */
export async function responding(): Promise<void> {
  if (!(await watch.check())) await new Promise<void>((resolve) => waiting.push(resolve));
}

/** `fetch` for reads, with a time limit. Detects an outage. Rejects like `fetch`. */
export async function fetchWatched(address: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  try {
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    watch.saw(response);
    return response;
  } catch (error) {
    if (signal?.aborted !== true) void watch.check();
    throw error;
  }
}

/** Whether a click opens another document of this server in this tab, and no other handler handles it. */
function leavesDocument(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const hasKeys = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const isHere = link.target === "" || link.target === "_top";
  const isPlace = link.hash !== "" && link.href.split("#")[0] === location.href.split("#")[0];
  return (
    !event.defaultPrevented && event.button === 0 && !hasKeys && isHere && !isPlace && link.origin === location.origin
  );
}
