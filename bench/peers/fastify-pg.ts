import { readFileSync } from "node:fs";
import fastify from "fastify";
import { Pool, types } from "pg";
import { type BeatRow, beatJson, type DetailRow, detailJson, paginationJson } from "./present.ts";

// The service as a team would write it in a day with Fastify and pg: COUNT and OFFSET, no authentication, no rate
// limits, no request log. Arguments: port, TLS key file, certificate file, database URL. `total=false` omits the count.
const [port = "0", keyFile = "", certFile = "", databaseUrl = ""] = process.argv.slice(2);
const origin = `https://localhost:${port}`;

types.setTypeParser(types.builtins.INT8, Number);
const pool = new Pool({ connectionString: databaseUrl, max: 20 });

const orders = {
  newest: "b.created_at desc, b.id desc",
  popular: "b.popularity_key desc, b.id desc",
  price_asc: "b.price_cents, b.id",
  price_desc: "b.price_cents desc, b.id desc",
};

interface ListQuery {
  page: number;
  limit: number;
  genre?: number;
  producer?: number;
  sort: keyof typeof orders;
  total: boolean;
}

const listQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    page: { type: "integer", minimum: 1, default: 1 },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    genre: { type: "integer" },
    producer: { type: "integer" },
    sort: { type: "string", enum: Object.keys(orders), default: "newest" },
    total: { type: "boolean", default: true },
  },
};

const app = fastify({ https: { key: readFileSync(keyFile), cert: readFileSync(certFile) } });

app.get<{ Querystring: ListQuery }>("/v1/beats", { schema: { querystring: listQuery } }, async (request) => {
  const { page, limit, genre, producer, sort, total } = request.query;
  const conditions = ["b.is_listed"];
  const values: number[] = [];
  if (genre !== undefined) conditions.push(`b.genre_id = $${values.push(genre)}`);
  if (producer !== undefined) conditions.push(`b.user_id = $${values.push(producer)}`);
  const condition = conditions.join(" and ");
  const [rows, count] = await Promise.all([
    pool.query<BeatRow>(
      `select b.id, b.title, b.user_id, u.display_name as producer_name, b.genre_id, g.name as genre_name,
              b.price_cents, b.duration_seconds, b.tempo, b.key, b.audio_url, b.cover_image, b.created_at,
              b.play_count, b.download_count
       from beats b join users u on u.id = b.user_id join genres g on g.id = b.genre_id
       where ${condition} order by ${orders[sort]} limit ${limit} offset ${(page - 1) * limit}`,
      values,
    ),
    total ? pool.query<{ count: number }>(`select count(*) from beats b where ${condition}`, values) : null,
  ]);
  const beats = rows.rows.map((row) => beatJson(row, origin));
  const counted = count === null ? null : (count.rows[0]?.count ?? 0);
  const pagination = paginationJson(new URL(request.url, origin), { page, limit, total: counted, items: beats.length });
  return { status: "success", data: { beats, pagination } };
});

app.get<{ Params: { id: number } }>(
  "/v1/beats/:id",
  { schema: { params: { type: "object", properties: { id: { type: "integer" } } } } },
  async (request, reply) => {
    const { rows } = await pool.query<DetailRow>({
      name: "beat",
      text: `select b.*, u.display_name as producer_name, g.name as genre_name
             from beats b join users u on u.id = b.user_id join genres g on g.id = b.genre_id where b.id = $1`,
      values: [request.params.id],
    });
    const [row] = rows;
    if (row === undefined) return reply.code(404).send({ status: "error" });
    return { status: "success", data: { beat: detailJson(row, origin) } };
  },
);

await app.listen({ port: Number(port), host: "127.0.0.1" });
process.stdout.write("peer ready\n");
