// Whether the server and its database respond, for the documents that the server writes. Their links lead to other documents: in
// an outage the browser's own error page would take their place, and not go on by itself.

/** Of a page that sends nothing while it is looked at. */
const idleMs = 30_000;
const retryMs = 1_000;
/** Over a cut connection a request would wait for minutes. */
const timeoutMs = 8_000;
const outageStatuses = [502, 503, 504];

const notice = document.createElement("div");
let timer: ReturnType<typeof setTimeout> | undefined;
let probing: Promise<boolean> | null = null;
let isLost = false;
const waiting: (() => void)[] = [];

/** Says that the connection is lost, and lets links wait for its return. Call it once. */
export function watchConnection(): void {
  // Always there, so that a screen reader announces what it says.
  notice.className = "connection";
  notice.ariaLive = "polite";
  document.body.append(notice);
  for (const event of ["online", "offline"]) addEventListener(event, () => void checkConnection());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void checkConnection();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (link === null || !leavesDocument(link, event)) return;
    event.preventDefault();
    void openDocument(link.href, link.target === "_top" ? top : window);
  });
  checkAfter(idleMs);
}

let latest = 0;

/** Opens another document once the server responds. Only the latest wish counts. */
export async function openDocument(address: string, frame: Window | null = window): Promise<void> {
  const wish = ++latest;
  await responding();
  if (wish === latest) frame?.location.assign(address);
}

/** Asks whether the server responds, and resolves once it does. */
export async function responding(): Promise<void> {
  if (!(await checkConnection())) await new Promise<void>((resolve) => waiting.push(resolve));
}

/** `fetch` of what only reads, with a time limit. It notices an outage. Rejects as `fetch` does. */
export async function fetchWatched(address: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  try {
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    if (outageStatuses.includes(response.status)) void checkConnection();
    else if (!isLost) checkAfter(idleMs);
    return response;
  } catch (error) {
    if (signal?.aborted !== true) void checkConnection();
    throw error;
  }
}

/** Asks whether the server and its database respond, and returns that. Tries again by itself until they do. */
function checkConnection(): Promise<boolean> {
  probing ??= probe().finally(() => {
    probing = null;
  });
  return probing;
}

async function probe(): Promise<boolean> {
  const isThere = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ status }) => !outageStatuses.includes(status),
    () => false,
  );
  isLost = !isThere;
  notice.textContent = isLost ? "Connection lost, trying again" : "";
  // Pages that lost the connection together do not come back together.
  checkAfter(isThere ? idleMs : retryMs * (1 + Math.random()));
  if (isThere) for (const resolve of waiting.splice(0)) resolve();
  return isThere;
}

function checkAfter(delayMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // A hidden page is checked when it is looked at.
    if (document.hidden && !isLost) checkAfter(idleMs);
    else void checkConnection();
  }, delayMs);
}

/** Whether a click opens another document of this server, here. Nothing else handles it then. */
function leavesDocument(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const hasKeys = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const isHere = link.target === "" || link.target === "_top";
  const isPlace = link.hash !== "" && link.href.split("#")[0] === location.href.split("#")[0];
  return (
    !event.defaultPrevented && event.button === 0 && !hasKeys && isHere && !isPlace && link.origin === location.origin
  );
}
