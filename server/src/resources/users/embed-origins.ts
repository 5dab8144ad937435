import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Queryable } from "../../database/connect.ts";

/** The sites that may show players of a producer's beats in a frame; empty for all. */
export async function findEmbedOrigins(db: Queryable, userId: number): Promise<string[]> {
  const user = await db.selectFrom("users").select("embed_origins").where("id", "=", userId).executeTakeFirst();
  return user?.embed_origins ?? [];
}

/** Replaces them. Throws 400 naming the first that is no origin of a site on the web. */
export async function changeEmbedOrigins(db: Queryable, userId: number, given: readonly string[]): Promise<string[]> {
  const origins = [...new Set(given.map(originOf))];
  await db.updateTable("users").set({ embed_origins: origins }).where("id", "=", userId).execute();
  return origins;
}

/** In the one spelling that Content-Security-Policy takes: scheme, host and port alone. */
function originOf(text: string): string {
  const url = URL.parse(text.trim());
  const isOrigin =
    url?.protocol === "https:" && `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` === "/";
  // A host of the URL parser has no character that ends a source, such as a semicolon, but for the wildcard.
  if (isOrigin && /^https:\/\/[a-z0-9.:[\]-]+$/.test(url.origin)) return url.origin;
  throw invalidRequest(
    `The origins field has ${JSON.stringify(quoted(text))}, which is no address of a site; write it as https://www.example.com, without a path.`,
    "origins",
  );
}
