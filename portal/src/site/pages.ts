import FormsPlugin from "@swup/forms-plugin";
import Swup, { createHistoryRecord, Location, updateHistoryRecord } from "swup";
import { responding } from "./connection.ts";

/**
 * The paths of pages in the layout of server/src/site/html/document.ts. Other addresses are other applications, files
 * and feeds.
 */
const publicPages = /^\/(?:(?:basket|beats|favorites|playlists|producers)(?:\/(?!.*\.atom)|[?#]|$)|[?#]|$)/;

/**
 * Opens the next public page in this document, so that playing continues. A form does so only with `data-in-place`,
 * because other forms may lead to another site.
 */
const pages = new Swup({
  containers: ["#main"],
  animationSelector: false,
  // Pages are not cached, because they show availability and prices.
  cache: false,
  ignoreVisit: (url, { el } = {}) =>
    !publicPages.test(url) || el?.closest("[data-live], [download], [target=_blank]") != null,
  plugins: [new FormsPlugin({ formSelector: "form[data-in-place]" })],
});

// During an outage the page stays, and the next page opens once the server responds.
pages.hooks.before("visit:start", () => responding());
pages.hooks.on("page:view", () => {
  document.getElementById("main")?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("page-shown"));
});

/** Sets the address of the current search, so that Back and Forward work for searches as for pages. */
export function keepAddress(address: string, mode: "push" | "replace"): void {
  if (mode === "push") createHistoryRecord(address);
  else updateHistoryRecord(address);
  pages.location = Location.fromUrl(address);
}
