import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Queryable } from "../../database/connect.ts";

/** The sites that may embed players of a producer's beats in a frame; empty for all sites. */
export async function findEmbedOrigins(db: Queryable, userId: number): Promise<string[]> {
  const user = await db.selectFrom("users").select("embed_origins").where("id", "=", userId).executeTakeFirst();
  return user?.embed_origins ?? [];
}

/** Replaces the sites. Throws 400 naming the first that is not the origin of a website. */
export async function changeEmbedOrigins(db: Queryable, userId: number, texts: readonly string[]): Promise<string[]> {
  const origins = [...new Set(texts.map(originOf))];
  await db.updateTable("users").set({ embed_origins: origins }).where("id", "=", userId).execute();
  return origins;
}

/** The spelling that Content-Security-Policy accepts: only scheme, host and port. */
function originOf(text: string): string {
  const url = URL.parse(text.trim());
  const isOrigin =
    url?.protocol === "https:" && `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` === "/";
  // The URL parser allows no character in a host that ends a CSP source, such as a semicolon, except the wildcard.
  if (isOrigin && /^https:\/\/[a-z0-9.:[\]-]+$/.test(url.origin)) return url.origin;
  throw invalidRequest(
    `The origins field has ${JSON.stringify(quoted(text))}, which is not an address of a site; write it as https://www.example.com, without a path.`,
    "origins",
  );
}
