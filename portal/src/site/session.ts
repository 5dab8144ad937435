import { fetchWatched } from "./connection.ts";
import { locale } from "./texts.ts";

/** Shows the links of signed-in users. The server sends all visitors the same page, so that caches can share it. */
export async function showSession(): Promise<void> {
  try {
    const { account } = await (await fetchWatched("/portal/api/session")).json();
    if (account === null) {
      if (/(?:^|; )basket=./.test(document.cookie)) await showBasket();
      return;
    }
    for (const element of document.querySelectorAll<HTMLElement>("[data-signed-in]")) element.hidden = false;
    for (const element of document.querySelectorAll<HTMLElement>("[data-signed-out]")) element.hidden = true;
    await Promise.all([showOwned(), showBasket()]);
  } catch {
    // Without a response the page stays as for signed-out visitors, whose links work for everyone.
  }
}

/** Adds the browser's time zone to forms. */
export function fillTimeZones(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-time-zone]"))
    input.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Shows the number of items in the basket: the account's, or the browser's, which a cookie stores. */
async function showBasket(): Promise<void> {
  const link = document.querySelector<HTMLElement>("[data-basket]");
  if (link === null) return;
  try {
    const { items } = (await (await fetchWatched("/basket/items")).json()) as { items: readonly unknown[] };
    if (items.length > 0) link.textContent = locale.t("script.basket", { count: items.length });
  } catch {
    // The link works without its number.
  }
}

interface OwnedLicense {
  license_type: string;
  order_id: number;
  status: "completed" | "pending";
}

/** Shows which licenses of the shown beat the account already has, with links to them. */
async function showOwned(): Promise<void> {
  const table = document.querySelector<HTMLElement>("[data-licenses-of]");
  if (table === null) return;
  const response = await fetchWatched(`/portal/api/market/beats/${table.dataset.licensesOf}`);
  if (!response.ok) return;
  const { owned } = (await response.json()) as { owned: OwnedLicense[] };
  for (const { license_type, order_id, status } of owned) {
    const row = table.querySelector(`[data-license="${license_type}"]`);
    const link = document.createElement("a");
    link.href = `/portal/library?order=${order_id}`;
    link.textContent = locale.t(status === "completed" ? "script.owned" : "script.paying");
    row?.querySelector("th")?.append(" ", link);
    const buy = row?.querySelector("button.button")?.firstChild;
    if (buy) buy.textContent = locale.t("script.buyAgain");
  }
}
