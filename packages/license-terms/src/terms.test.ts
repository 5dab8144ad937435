import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtInTerms } from "./built-in.ts";
import { openTerms } from "./open-terms.ts";
import { boundsOf, termsSha256 } from "./terms.ts";
import { readBlocks, withNames } from "./terms-text.ts";

describe("the terms of this repository", () => {
  it("never change under one version: certificates name the hash of their text", () => {
    const hashes = Object.entries(builtInTerms.texts).map(([type, { text, template, limits }]) => [
      type,
      ...[text, template ?? "", JSON.stringify(limits)].map((each) => termsSha256({ text: each })),
    ]);
    expect({ version: builtInTerms.version, hashes }).toEqual({
      version: "2026-11-26",
      hashes: [
        [
          "basic",
          "0340463181711d4e47398de3dea5b9a040950bdadb1d2292f979a6cb3fcd6b94",
          "32f6864a3b657ab1177747466c1f908f4b676989dd291ab052099b677347c655",
          "808e230eccdae639116b36e6033fc34b6377eca6f6ce3bcec1c059ccb90b853f",
        ],
        [
          "premium",
          "675082bc47e6dd728e3622eb6ebcf018f27e00fdbf004892597f46fdc5a89bb7",
          "5d358ee7ca86c70e9ae6bdda2ea3705fddd1a31c202dbd93ede5c97be355c532",
          "e13cf8b4c7729909a85d56b98c2a091cc57c91d17692f991c10d14606d78252d",
        ],
        [
          "unlimited",
          "71c08f6f267e3ad8213580cfca8f954ff23f3b6350bacbafe1f87ad5bdfebe5c",
          "3e87655a5db15da6299fb7cc161d47b0947ba9edbf8e5b0883248ca4d247139c",
          "cd623c4df9242fcf2bdc85eceeea4cdbcdbfd4901be8fa86c04141daae764e71",
        ],
        [
          "exclusive",
          "0b166380abdcd47e8c73978a3318e7743598353c7004b9f46877406f4c5d1e77",
          "104ab2f61abef23a0b48b0c811f23af468eac73ded30b35ba7662211df7f7910",
          "cd623c4df9242fcf2bdc85eceeea4cdbcdbfd4901be8fa86c04141daae764e71",
        ],
      ],
    });
  });

  it("have exactly the sentences of their clauses", () => {
    for (const { template, clauses } of Object.values(builtInTerms.texts)) {
      const items = readBlocks(template ?? "").flatMap(({ kind, text }) => (kind === "item" ? [text] : []));
      expect(items.map((item) => item.replace("{if_limited}", "")).sort()).toEqual(
        clauses?.map((clause) => clause.text).sort(),
      );
    }
  });

  it("grant more with the exclusive than with the basic license, and name credit and refund in all four", () => {
    const lines = ({ text }: { text: string }) =>
      text.split("\n").filter((line) => /^- (Distr|Live|Term|This)/.test(line));
    expect(lines(builtInTerms.texts.basic)).toEqual([
      "- Distribution: up to 2,000 copies sold or given away, as downloads or on media.",
      "- Live: any number of performances for which nobody is paid.",
      "- Term: 5 years from the date of the order. What was distributed by then may stay available.",
      expect.stringMatching(/^- This license is not exclusive/),
    ]);
    expect(lines(builtInTerms.texts.exclusive)).toEqual([
      "- Distribution: any number of copies sold or given away, as downloads or on media.",
      "- Live: any number of performances, with or without pay.",
      "- Term: without end.",
      expect.stringMatching(/^- This license is exclusive/),
    ]);
    for (const { text } of Object.values(builtInTerms.texts)) {
      expect(text).toContain("“Prod. by {producer}”");
      expect(text).toContain("A full refund of the order ends this license.");
    }
  });
});

describe("the blocks of terms", () => {
  it("are headings, items and paragraphs; a name that contains braces or # is inserted as plain text", () => {
    const blocks = readBlocks("# Title\n\nOne\ntwo {beat}.\n\n## Rights\n- first\n- second\n  goes on\n\nEnd.");
    expect(blocks).toEqual([
      { kind: "paragraph", text: "One two {beat}." },
      { kind: "heading", text: "Rights" },
      { kind: "item", text: "first" },
      { kind: "item", text: "second goes on" },
      { kind: "paragraph", text: "End." },
    ]);
    expect(withNames("{beat} by {producer}", { beat: "{producer} $&", producer: "## X" })).toBe(
      "{producer} $& by ## X",
    );
  });
});

describe("LICENSE_TERMS", () => {
  const good = {
    "version.txt": "2027-01\n",
    "basic.md": "# B\r\n\r\nFor {beat}.",
    "premium.md": "# P\nx",
    "unlimited.md": "# U\nx",
    "exclusive.md": "# E\nx",
  };
  const folderWith = async (files: Record<string, string | Buffer | null>) => {
    const folder = await mkdtemp(join(tmpdir(), "beatmarket-terms-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content ?? "");
    return folder;
  };

  it("names a folder with the operator's own terms", async () => {
    const terms = await openTerms(await folderWith(good));
    expect(terms.version).toBe("2027-01");
    const text = "# B\n\nFor {beat}.";
    expect(terms.texts.basic).toEqual({ title: "B", text, template: null, limits: null, clauses: [] });
    expect(boundsOf(terms)).toBeNull();
  });

  const any = { copies: null, streams: null, videos: null, radio_stations: null, paid_performances: null, years: null };
  const limits = {
    basic: { ...any, streams: { standard: 10, lowest: 1, highest: 20 }, years: 2 },
    premium: { ...any, streams: 1_000 },
    unlimited: any,
    exclusive: any,
  };

  it("fills in the limits of limits.json, in the operator's phrases", async () => {
    const phrase = { limited: "{n}", unlimited: "ohne Grenze" };
    const phrases = Object.fromEntries(Object.keys(any).map((name) => [name, phrase]));
    const terms = await openTerms(
      await folderWith({
        ...good,
        "basic.md": "# B\n\nStreams: {streams}. Jahre: {years}.\n{if_limited}Nicht mehr.",
        "unlimited.md": "# U\n\nStreams: {streams}.\n{if_limited}Nicht mehr.",
        "limits.json": JSON.stringify({ ...limits, phrases }),
      }),
    );
    expect(terms.texts.basic.text).toBe("# B\n\nStreams: 10. Jahre: 2.\nNicht mehr.");
    expect(terms.texts.unlimited.text).toBe("# U\n\nStreams: ohne Grenze.");
    expect(boundsOf(terms)?.basic.streams).toEqual({ standard: 10, lowest: 1, highest: 20 });
  });

  it("reads the values of clauses from marks, and shows no marks", async () => {
    const basic =
      "# B\n\nSold in {territory: DE, AT}Germany and Austria.\n\n- {sublicense: no} No sublicenses.\n- {upgrade_price: purchase} Upgrades cost today's difference.\n- {if_limited}Up to {streams}.";
    const files = { ...good, "basic.md": basic, "limits.json": JSON.stringify(limits) };
    const { text, clauses } = (await openTerms(await folderWith(files))).texts.basic;
    expect(text).toBe(
      "# B\n\nSold in Germany and Austria.\n\n- No sublicenses.\n- Upgrades cost today's difference.\n- Up to up to 10 audio and video streams on all services together, paid or not.",
    );
    expect(clauses).toEqual([
      { name: "territory", text: "Sold in Germany and Austria.", value: ["DE", "AT"] },
      { name: "sublicense", text: "No sublicenses.", value: false },
      { name: "upgrade_price", text: "Upgrades cost today's difference.", value: "purchase" },
      { name: "streams", text: "Up to {streams}.", value: "limit" },
    ]);
  });

  it("may have limits without texts; then the built-in texts apply", async () => {
    const folder = await folderWith({ "version.txt": "2027-01", "limits.json": JSON.stringify(limits) });
    expect((await openTerms(folder)).texts.basic.text).toContain("Streaming: up to 10 audio and video streams");
  });

  it.each([
    ["no JSON", "{", /limits\.json is not valid JSON/],
    ["a missing license", JSON.stringify({ basic: any }), /limits\.json is wrong at/],
    [
      "a standard outside its bounds",
      JSON.stringify({ ...limits, basic: { ...any, copies: { standard: 5, lowest: 6, highest: 7 } } }),
      /the standard of basic\.copies is not between/,
    ],
    [
      "a higher license that allows less",
      JSON.stringify({ ...limits, premium: { ...any, streams: 5 } }),
      /limits\.json: premium allows 5 streams, and the basic license 10/,
    ],
  ])("rejects a limits.json with %s", async (_, text, message) => {
    await expect(openTerms(await folderWith({ ...good, "limits.json": text }))).rejects.toThrow(message);
  });

  it.each([
    [
      "a missing file",
      { ...good, "premium.md": null },
      /premium\.md cannot be read \(ENOENT\)\. The folder takes version\.txt, basic\.md/,
    ],
    ["no version", { ...good, "version.txt": "two words" }, /version\.txt takes one version such as 2027-01/],
    ["no title", { ...good, "basic.md": "Text" }, /basic\.md does not begin with a title; its first line takes/],
    ["no text", { ...good, "basic.md": "# Title\n\n" }, /basic\.md has a title only/],
    [
      "an unknown name",
      { ...good, "basic.md": "# T\n{buyer} may" },
      /basic\.md has \{buyer\}, which nothing fills in; it takes \{beat\} and \{producer\}/,
    ],
    [
      "an unknown mark",
      { ...good, "basic.md": "# T\n{sublicense: perhaps}Text" },
      /basic\.md has \{sublicense: perhaps\} ?, which is not a known mark\. A mark names one of song, territory, credit/,
    ],
    ["another encoding", { ...good, "basic.md": Buffer.from([0x23, 0x20, 0x42, 0xe9]) }, /basic\.md is not plain text/],
    ["a text that is too long", { ...good, "basic.md": `# T\n${"x".repeat(70_000)}` }, /takes at most 65536/],
  ])("is rejected with a sentence for %s", async (_, files, message) => {
    const folder = await folderWith(Object.fromEntries(Object.entries(files).filter(([, value]) => value !== null)));
    await expect(openTerms(folder)).rejects.toThrow(message);
  });
});
