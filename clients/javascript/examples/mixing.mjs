// Finds beats that mix with one: `node mixing.mjs 17`. --count 5 finds five instead of three.
import { parseArgs } from "node:util";
import { BeatMarket, BeatMarketError, NotFoundError } from "beatmarket";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "3" } },
});
const [id] = positionals;
const count = Number(values.count);
if (id === undefined || !Number.isInteger(count) || count < 1) {
  console.error("usage: node mixing.mjs <id of a beat> [--count 3]");
  process.exit(2);
}

try {
  const client = new BeatMarket();
  const playing = await client.beats.get(id);
  console.log("playing:", playing.id, playing.bpm, "bpm", playing.key);
  const mixing = client.beats.list({
    key_compatible: playing.key || null, // If the key of the playing beat is unknown, the filter is off.
    bpm: playing.bpm,
    bpm_tolerance: 4, // Percent: listeners do not notice such a change of tempo.
    half_double: true,
    sort: "popular",
    maxItems: count + 1,
  });
  const others = [];
  for await (const beat of mixing) if (beat.id !== playing.id) others.push(beat);
  for (const { id, bpm, key, title } of others.slice(0, count)) console.log(id, bpm, "bpm", key, title);
} catch (error) {
  if (!(error instanceof BeatMarketError)) throw error;
  console.error(error instanceof NotFoundError ? `There is no beat ${id}.` : error.message);
  process.exit(1);
}
