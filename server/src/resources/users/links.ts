import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Queryable } from "../../database/connect.ts";

export const maxLinks = 8;
const maxLength = 300;

/** The account's addresses elsewhere, in its own order. */
export async function findLinks(db: Queryable, userId: number): Promise<string[]> {
  const user = await db.selectFrom("users").select("links").where("id", "=", userId).executeTakeFirst();
  return user?.links ?? [];
}

/** Replaces them, each once. Throws 400 naming the first that is no HTTPS address of a public site, and for more than 8. */
export async function changeLinks(db: Queryable, userId: number, texts: readonly string[]): Promise<string[]> {
  const links = [...new Set(texts.map(linkOf))];
  if (links.length > maxLinks)
    throw invalidRequest(`The links field has ${links.length} links; at most ${maxLinks} are allowed.`, "links");
  await db.updateTable("users").set({ links }).where("id", "=", userId).execute();
  return links;
}

/** In the URL parser's spelling. A host without a dot, or of digits alone, is no site that visitors reach. */
function linkOf(text: string): string {
  const url = URL.parse(text.trim());
  const isLink =
    url?.protocol === "https:" &&
    `${url.username}${url.password}${url.port}` === "" &&
    /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(url.hostname) &&
    url.href.length <= maxLength;
  if (isLink) return url.href;
  throw invalidRequest(
    `The links field has ${JSON.stringify(quoted(text))}, which is no HTTPS address of a site; write it as https://www.instagram.com/name, with at most ${maxLength} characters.`,
    "links",
  );
}

/** What a link is called: the service that people know by its name, or the host. */
export function linkLabel(link: string): string {
  const host = new URL(link).hostname.replace(/^(www|m|open)\./, "");
  return services[host] ?? host;
}

const services: Readonly<Record<string, string>> = {
  "instagram.com": "Instagram",
  "youtube.com": "YouTube",
  "music.youtube.com": "YouTube Music",
  "youtu.be": "YouTube",
  "soundcloud.com": "SoundCloud",
  "spotify.com": "Spotify",
};
