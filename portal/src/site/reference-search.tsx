import { createRoot } from "react-dom/client";
import { search } from "../../../contract/texts/en/portal/search.ts";
import { addTexts } from "../api/locale.ts";
import type { SearchEntry } from "../shell/search/ranking.ts";
import { SearchDialog } from "../shell/search/search-dialog.tsx";
import { openDocument } from "./connection.ts";

// The reference is in English, and its documents do not contain the portal's texts.
addTexts(search);

const page = (title: string, address: string, keywords = ""): SearchEntry => ({
  group: "Go to",
  id: address,
  title,
  detail: "",
  keywords,
  address,
});

const pages = [
  page("Docs", "/portal/docs", "guides"),
  page("Explorer", "/portal/explorer", "try a call"),
  page("API keys", "/portal/keys", "create secret"),
  page("Request log", "/portal/log"),
  page("Webhooks", "/portal/webhooks", "endpoints inbox"),
  page("Portal", "/portal", "home"),
];

/** Opens the portal's search above a page of the reference. */
export function openSearch(): void {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  root.render(<SearchDialog pages={pages} onOpen={(address) => void openDocument(address)} onClose={close} />);
}
