import { expect, test } from "vitest";
import { beatsIn } from "./beat-media.ts";

const audio = "https://media.example/1.wav";

test("beats are found in lists of either form, and as a single object", () => {
  const reference = {
    id: 1,
    title: "Drive",
    producer_name: "Nova",
    audio_url: audio,
    cover_image: "https://c.example/1.svg",
  };
  const console = {
    id: 2,
    title: "Rain",
    producer: "Late Tram",
    audio_preview: audio,
    cover_image: "https://c.example/2.svg",
  };
  const first = { id: 1, title: "Drive", producer: "Nova", audioUrl: audio, coverUrl: "https://c.example/1.svg" };
  expect(beatsIn({ status: "success", data: { beats: [reference], pagination: {} } })).toEqual([first]);
  expect(beatsIn({ status: "success", data: { beat: reference } })).toEqual([first]);
  expect(beatsIn({ success: true, data: [console, { ...console, type: "beat" }] })).toEqual([
    { id: 2, title: "Rain", producer: "Late Tram", audioUrl: audio, coverUrl: "https://c.example/2.svg" },
  ]);
});

test("a beat counts only with an https URL of its audio, and its cover only with an https URL", () => {
  for (const audio_url of ["http://media.example/1.wav", "javascript:alert(1)", "data:audio/wav;base64,", "", null, 7])
    expect(beatsIn({ data: [{ id: 1, title: "Drive", audio_url }] })).toEqual([]);
  expect(beatsIn({ id: 1, title: "Drive", audio_url: audio, cover_image: "javascript:alert(1)" })[0]?.coverUrl).toBe(
    "",
  );
});

test.each([null, undefined, "text", 7, [], {}])("no beat is found in %s", (json) => {
  expect(beatsIn(json)).toEqual([]);
});
