// Lists beats with a client that openapi-generator generated (-g typescript-fetch).
import { BeatsApi, Configuration } from "./generated";

const { ORIGIN = "", API_KEY = "" } = process.env;

async function main(): Promise<void> {
  const beats = new BeatsApi(new Configuration({ basePath: `${ORIGIN}/v1`, accessToken: API_KEY }));
  const page = await beats.listBeats({ limit: 3, sort: "popular" });
  console.log(JSON.stringify(page.data.beats.map(({ id, title, price }) => ({ id, title, price }))));
}

main();
