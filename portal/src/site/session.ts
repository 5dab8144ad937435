import { fetchWatched } from "./connection.ts";

/** Shows who is signed in what they can do. The pages are the same for all until then, so that everybody shares one copy. */
export async function showSession(): Promise<void> {
  try {
    const { account } = await (await fetchWatched("/portal/api/session")).json();
    if (account === null) return;
    for (const element of document.querySelectorAll<HTMLElement>("[data-signed-in]")) element.hidden = false;
    for (const element of document.querySelectorAll<HTMLElement>("[data-signed-out]")) element.hidden = true;
  } catch {
    // Without it the page stays that of a stranger, whose links work for everybody.
  }
}
