// Lists beats with a client that @hey-api/openapi-ts generated.
import { listBeats } from "./generated";
import { client } from "./generated/client.gen";

const { ORIGIN = "", API_KEY = "" } = process.env;

async function main(): Promise<void> {
  client.setConfig({ baseUrl: `${ORIGIN}/v1`, auth: API_KEY });
  const { data: page } = await listBeats({ query: { limit: 3, sort: "popular" }, throwOnError: true });
  if (!("status" in page)) throw new Error("The response is not in the reference form.");
  console.log(JSON.stringify(page.data.beats.map(({ id, title, price }) => ({ id, title, price }))));
}

main();
