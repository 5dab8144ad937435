import "../../../../test/english.ts";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../api/client.ts";
import type { OwnBeat } from "../studio-queries.ts";
import { changesOf, fieldsOf, problemsOf, valuesOfBeat, valuesOfUpload } from "./beat-values.ts";
import { fieldError } from "./field-errors.ts";

const rule = { premium_percent: 200, unlimited_percent: 500, exclusive_percent: 2000, ending_cents: 99 };
const sold = { sold: true, limits: {} };
const licenses = { basic: sold, premium: sold, unlimited: sold, exclusive: sold };
const defaults = {
  price: null,
  license_prices: { premium: null, unlimited: null, exclusive: null },
  genre: null,
  tags: [],
  preview_tag: "default",
  license_settings: {},
  free_download: false,
};
const recording = { id: "upl_1", said: { title: "Night drive", bpm: null, key: null } };
const newValues = valuesOfUpload(recording, defaults);
const complete = { ...newValues, genre: "House" };
const beat = {
  beat: {
    title: "Night drive",
    genre: { id: 1, name: "House" },
    tags: ["warm"],
    description: "",
    bpm: 93,
    bpm_source: "producer",
    key: "A minor",
    key_source: "analysis",
    price: 29.9,
    license_settings: {
      basic: { sold: true, price: 29.9, limits: { streams: 50_000 } },
      premium: { sold: true, price: 59.99, limits: {} },
      unlimited: { sold: false, price: 120, limits: {} },
      exclusive: { sold: true, price: 598.99, limits: {} },
    },
    free_download: true,
    preview_tag: "none",
  },
  tempo: 92.5,
  uploads: { audio: { id: "upl_1" }, cover: null, stems: null, preview_tag: null },
} as unknown as OwnBeat;

describe("a new beat's form", () => {
  test("begins with the recording's title and the producer's defaults", () => {
    const ownDefaults = { ...defaults, price: 20, genre: "Drill", tags: ["warm"], preview_tag: "none" };
    expect(valuesOfUpload(recording, ownDefaults)).toMatchObject({
      title: "Night drive",
      genre: "Drill",
      tags: ["warm"],
      price: 20,
      previewTag: "none",
    });
  });

  test("has an error for each empty field of title, genre and price", () => {
    expect(Object.keys(problemsOf(newValues))).toEqual(["genre"]);
    expect(Object.keys(problemsOf({ ...newValues, title: " ", price: null }))).toEqual(["title", "genre", "price"]);
    expect(problemsOf(complete)).toEqual({});
  });

  test("sends the producer's values, and none that come from the analysis or the price rule", () => {
    expect(fieldsOf(complete, "draft")).toEqual({
      title: "Night drive",
      genre: "House",
      audio: "upl_1",
      price: 29.99,
      license_settings: licenses,
      free_download: false,
      preview_tag: "default",
      status: "draft",
    });
    const values = { ...complete, bpm: 140, licensePrices: { ...complete.licensePrices, premium: 50 } };
    expect(fieldsOf(values, "published")).toMatchObject({
      bpm: 140,
      license_prices: { premium: 50 },
      status: "published",
    });
  });
});

describe("an existing beat's form", () => {
  const before = valuesOfBeat(beat, rule);

  test("has the producer's exact values, and no values that come from the analysis or the price rule", () => {
    expect(before).toMatchObject({ bpm: 92.5, key: null, previewTag: "none" });
    expect(before.licensePrices).toEqual({ premium: null, unlimited: 120, exclusive: null });
  });

  test("sends only changed fields, and null for cleared fields", () => {
    expect(changesOf(before, before, rule)).toEqual({});
    expect(changesOf(before, { ...before, bpm: null, title: " Day " }, rule)).toEqual({ title: "Day", bpm: null });
    expect(changesOf({ ...before, description: "Old" }, { ...before, description: " " }, rule)).toEqual({
      description: null,
    });
  });

  test("sends all licenses when one of them changes", () => {
    expect(before.licenses).toMatchObject({ basic: { limits: { streams: 50_000 } }, unlimited: { sold: false } });
    const exclusive = { sold: false, limits: {} };
    const after = { ...before, licenses: { ...before.licenses, exclusive }, freeDownload: false };
    expect(changesOf(before, after, rule)).toEqual({ license_settings: after.licenses, free_download: false });
  });

  test("has an error if no license is sold", () => {
    const notSold = { sold: false, limits: {} };
    const values = {
      ...before,
      licenses: { basic: notSold, premium: notSold, unlimited: notSold, exclusive: notSold },
    };
    expect(Object.keys(problemsOf(values))).toEqual(["license_settings"]);
  });

  test("sends all four prices if the basic price changes", () => {
    expect(changesOf(before, { ...before, price: 10 }, rule)).toEqual({
      price: 10,
      license_prices: { premium: 20.99, unlimited: 120, exclusive: 200.99 },
    });
  });
});

describe("an error from the API", () => {
  const fieldErrorOf = (details: string, status = 400) =>
    fieldError(new ApiError(status, "Refused", details, null))?.field;

  test("appears next to the field that it names", () => {
    expect(fieldErrorOf("The genre field names no genre: 7.")).toBe("genre");
    expect(fieldErrorOf("The license_prices.premium field must be a number.")).toBe("license_prices.premium");
    expect(fieldErrorOf("The tags field must have at most 20 items.")).toBe("tags");
  });

  test("appears above the form if it names no field of the form", () => {
    expect(fieldErrorOf("The status field must be one of draft, published.")).toBeUndefined();
    expect(fieldErrorOf("The exclusive license is sold.", 409)).toBeUndefined();
    expect(fieldError(new Error("The genre field"))).toBeNull();
  });
});
