import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import express from "express";
import knex from "knex";
import { types } from "pg";
import { type BeatRow, beatJson, type DetailRow, detailJson, paginationJson } from "./present.ts";

// The service as a team would write it in a day with Express and Knex: COUNT and OFFSET, no authentication, no rate
// limits, no request log. Arguments: port, TLS key file, certificate file, database URL. `total=false` omits the count.
const [port = "0", keyFile = "", certFile = "", databaseUrl = ""] = process.argv.slice(2);
const origin = `https://localhost:${port}`;

types.setTypeParser(types.builtins.INT8, Number);
const db = knex({ client: "pg", connection: databaseUrl, pool: { min: 2, max: 20 } });

const orders: Record<string, { column: string; order: "asc" | "desc" }[]> = {
  newest: [
    { column: "beats.created_at", order: "desc" },
    { column: "beats.id", order: "desc" },
  ],
  popular: [
    { column: "beats.popularity_key", order: "desc" },
    { column: "beats.id", order: "desc" },
  ],
  price_asc: [
    { column: "beats.price_cents", order: "asc" },
    { column: "beats.id", order: "asc" },
  ],
  price_desc: [
    { column: "beats.price_cents", order: "desc" },
    { column: "beats.id", order: "desc" },
  ],
};

const withNames = () =>
  db("beats").join("users", "users.id", "beats.user_id").join("genres", "genres.id", "beats.genre_id");

/** The parameter as an integer from 1 to `most`, or undefined. */
function integerOf(text: unknown, most: number): number | undefined {
  const value = Number(text);
  return typeof text === "string" && Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}

const app = express();

app.get("/v1/beats", async (request, response) => {
  const { query } = request;
  const page = query.page === undefined ? 1 : integerOf(query.page, 2 ** 31);
  const limit = query.limit === undefined ? 20 : integerOf(query.limit, 100);
  const order = orders[typeof query.sort === "string" ? query.sort : "newest"];
  if (page === undefined || limit === undefined || order === undefined) {
    response.status(400).json({ status: "error" });
    return;
  }
  const filters: Record<string, unknown> = { "beats.is_listed": true };
  if (query.genre !== undefined) filters["beats.genre_id"] = integerOf(query.genre, 2 ** 31);
  if (query.producer !== undefined) filters["beats.user_id"] = integerOf(query.producer, 2 ** 31);
  const [rows, count] = await Promise.all([
    withNames()
      .where(filters)
      .select<BeatRow[]>(
        "beats.id",
        "beats.title",
        "beats.user_id",
        "users.display_name as producer_name",
        "beats.genre_id",
        "genres.name as genre_name",
        "beats.price_cents",
        "beats.duration_seconds",
        "beats.tempo",
        "beats.key",
        "beats.audio_url",
        "beats.cover_image",
        "beats.created_at",
        "beats.play_count",
        "beats.download_count",
      )
      .orderBy(order)
      .limit(limit)
      .offset((page - 1) * limit),
    query.total === "false" ? null : db("beats").where(filters).count<{ count: number }[]>("* as count"),
  ]);
  const beats = rows.map((row) => beatJson(row, origin));
  const total = count === null ? null : (count[0]?.count ?? 0);
  const url = new URL(request.originalUrl, origin);
  const pagination = paginationJson(url, { page, limit, total, items: beats.length });
  response.json({ status: "success", data: { beats, pagination } });
});

app.get("/v1/beats/:id", async (request, response) => {
  const id = integerOf(request.params.id, 2 ** 53);
  const row =
    id &&
    (await withNames()
      .where("beats.id", id)
      .first<DetailRow | undefined>("beats.*", "users.display_name as producer_name", "genres.name as genre_name"));
  if (!row) response.status(404).json({ status: "error" });
  else response.json({ status: "success", data: { beat: detailJson(row, origin) } });
});

const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, app);
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("peer ready\n"));
