// Lists beats with openapi-fetch and the types that openapi-typescript generated.
import createClient from "openapi-fetch";
import type { paths } from "./generated";

const { ORIGIN = "", API_KEY = "" } = process.env;

async function main(): Promise<void> {
  const client = createClient<paths>({ baseUrl: `${ORIGIN}/v1`, headers: { Authorization: `Bearer ${API_KEY}` } });
  const { data: page, error } = await client.GET("/beats", { params: { query: { limit: 3, sort: "popular" } } });
  if (error !== undefined) throw new Error(error.error.message);
  if (!("status" in page)) throw new Error("The response is not in the reference form.");
  console.log(JSON.stringify(page.data.beats.map(({ id, title, price }) => ({ id, title, price }))));
}

main();
