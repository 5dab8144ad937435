// Finds three beats that mix with one: `node mixing.mjs 17`.
import { BeatMarket } from "beatmarket";

const client = new BeatMarket();
const playing = await client.beats.get(process.argv[2] ?? 1);
console.log("playing:", playing.id, playing.bpm, "bpm", playing.key);
const mixing = client.beats.list({
  key_compatible: playing.key || null, // A beat without a known key mixes with any.
  bpm: playing.bpm,
  bpm_tolerance: 4, // What a deck's pitch fader bridges without being heard.
  half_double: true,
  sort: "popular",
  maxItems: 4,
});
const others = [];
for await (const beat of mixing) if (beat.id !== playing.id) others.push(beat);
for (const { id, bpm, key, title } of others.slice(0, 3)) console.log(id, bpm, "bpm", key, title);
