import { describe, expect, test } from "vitest";
import { numbered, Searchable, type SearchableBeat } from "../../../testing/searchable.ts";
import type { BeatFilters } from "../../query.ts";

const catalogue = (...beats: SearchableBeat[]): Searchable => new Searchable().add(...beats);

describe("words", () => {
  test("are all required, in title, producer's name, genre or tags, in any order", () => {
    const index = catalogue(
      { title: "Hotline Bling", by: "Drake", genre: "Hip Hop", tags: ["dark guitar"] },
      { title: "Hotline", by: "Billie" },
    );
    for (const text of ["hotline bling", "drake bling", "hop bling", "guitar hotline", "drake hop dark"])
      expect([text, index.find(text)]).toEqual([text, ["Hotline Bling"]]);
  });

  test("are found whatever the case and accents in the text or in the catalogue", () => {
    const index = catalogue({ title: "Déjà Vu", by: "BEYONCÉ" });
    for (const text of ["deja VU beyonce", "DÉJÀ beyoncé"]) expect(index.find(text)).toEqual(["Déjà Vu"]);
  });

  test("may be unfinished if last, but not before", () => {
    const index = catalogue({ title: "Midnight Drive", tags: ["lo-fi"] }, { title: "Midnight" });
    expect(index.find("midnight dri")).toEqual(["Midnight Drive"]);
    expect(index.find("midnight lo")).toEqual(["Midnight Drive"]);
    expect(index.result("midn drive").interpretation?.ignored).toEqual(["midn"]);
  });

  test("need not have the same word boundaries as in the catalogue", () => {
    const index = catalogue(
      { title: "Thunder", by: "AC/DC", genre: "Rock" },
      { title: "Creep", by: "Radiohead", genre: "Rock" },
      { title: "Hip-Hop", tags: ["K-Pop"], genre: "Rock" },
      { title: "Dang!", by: "P!nk & $ign", genre: "Rock" },
    );
    expect(index.find("acdc")).toEqual(["[AC/DC]", "Thunder"]);
    expect(index.find("ac dc thunder")).toEqual(["Thunder"]);
    expect(index.find("radio head")).toEqual(["[Radiohead]", "Creep"]);
    expect(index.find("hiphop")).toEqual(["Hip-Hop"]);
    expect(index.find("kpop")).toEqual(["Hip-Hop"]);
    expect(index.find("pink sign")).toEqual(["[P!nk & $ign]", "Dang!"]);
  });

  test.each(["simon & garfunkel", "simon and garfunkel", "simon garfunkel", "simon + garfunkel", "garfunkel simon"])(
    "an ampersand or a plus is read as an optional and: %s",
    (text) => {
      for (const name of ["Simon & Garfunkel", "Simon + Garfunkel"])
        expect(catalogue({ title: "Boxer", by: name }).find(text)).toEqual([`[${name}]`, "Boxer"]);
    },
  );
});

describe("short names of genres", () => {
  const index = catalogue(
    { title: "Slow", genre: "R&B" },
    { title: "R & B Anthem", genre: "Pop" },
    { title: "Roller", genre: "Drum & Bass" },
    { title: "Bass and Drum", genre: "Pop" },
    { title: "Hip Hop Is Fine", genre: "Pop" },
    { title: "Boom", genre: "Hip-Hop" },
    { title: "Lo Fi Rain", genre: "Pop" },
    { title: "Desk", tags: ["Lo-Fi"], genre: "Pop" },
  );

  test.each([
    ["rnb", "r&b"],
    ["dnb", "drum & bass"],
    ["hiphop", "hip hop"],
    ["lofi", "lo fi"],
    ["dnb roller", "drum & bass roller"],
  ])("%s finds what %s finds, in the same order", (short, full) => {
    expect(index.find(full).length).toBeGreaterThan(0);
    expect(index.find(short)).toEqual(index.find(full));
  });

  test("keep the matches of the short name itself", () => {
    const both = catalogue({ title: "RnB Night", genre: "Pop" }, { title: "Slow", genre: "R&B" });
    expect(both.find("rnb").sort()).toEqual(["RnB Night", "Slow"]);
  });
});

describe("words that are written together", () => {
  const index = catalogue(
    { title: "Empire", by: "Jay Z" },
    { title: "Day to Remember" },
    { title: "Today", by: "Ann" },
  );

  test("are separated if nothing matches the joined word", () => {
    expect(index.find("jayz")).toEqual(index.find("jay z"));
    expect(index.find("jayz empire")).toEqual(index.find("jay z empire"));
  });

  test("are one word if something matches it", () => {
    expect(index.find("today")).toEqual(["Today"]);
  });
});

describe("titles and names that consist only of signs", () => {
  const index = catalogue(
    { title: "!!!", by: "Ann" },
    { title: "†††", by: "Ann" },
    { title: "? ? ?", by: "Ann" },
    { title: "&", by: "Ann" },
    { title: "🔥❤️", by: "Ann" },
    { title: "$", by: "Ann" },
    { title: "Song", by: "+/-" },
    { title: "Chk", by: "Chk!!!" },
  );

  test.each([
    ["!!!", ["!!!"]],
    ["†††", ["†††"]],
    ["???", ["? ? ?"]],
    ["&", ["&"]],
    ["🔥❤️", ["🔥❤️"]],
    ["$", ["$"]],
    ["+/-", ["[+/-]", "Song"]],
    ["!!", []],
    ["††††", []],
  ])("%s finds %j", (text, names) => {
    expect(index.find(text)).toEqual(names);
  });
});

describe("numbers", () => {
  test("are exact: no prefix matches, no corrections", () => {
    const index = catalogue({ title: "180" }, { title: "1800 Dreams" }, { title: "Route 1801" });
    expect(index.find("180")).toEqual(["180"]);
    for (const text of ["1810", "1 80"]) expect(index.find(text)).toEqual([]);
  });

  test("in another script's digits are the same numbers", () => {
    expect(catalogue({ title: "Track ٧" }).find("track 7")).toEqual(["Track ٧"]);
  });
});

describe("other scripts", () => {
  test.each(["черный", "ЧЁРНЫЙ ВОРОН", "вор", "чернфй"])("Cyrillic: %s", (text) => {
    expect(catalogue({ title: "Чёрный ворон", by: "Кино" }).find(text)).toEqual(["Чёрный ворон"]);
  });

  test.each(["اغنية", "أغنية حب", "اغنيه ح"])("Arabic: %s", (text) => {
    expect(catalogue({ title: "أُغْنِيَة حُب" }).find(text)).toEqual(["أُغْنِيَة حُب"]);
  });

  test("runs without spaces are found by any contiguous part of them", () => {
    const index = catalogue({ title: "東京都の夜" }, { title: "京都と東京" }, { title: "ラブストーリー" });
    expect(index.find("東京都")).toEqual(["東京都の夜"]);
    expect(index.find("東京").sort()).toEqual(["京都と東京", "東京都の夜"]);
    for (const text of ["夜", "の"]) expect(index.find(text)).toEqual(["東京都の夜"]);
    expect(index.find("らぶ")).toEqual(["ラブストーリー"]);
    expect(index.find("夜東京")).toEqual([]);
  });

  test("emoji are words", () => {
    const index = catalogue({ title: "🔥" }, { title: "❤️ Song" });
    expect(index.find("🔥")).toEqual(["🔥"]);
    expect(index.find("song ❤")).toEqual(["❤️ Song"]);
  });
});

describe("typing errors", () => {
  test.each(["beyonse", "byonce", "beyyonce", "ebyonce", "veyonce", "beyonec"])(
    "of one edit in a word of four letters or more are corrected: %s",
    (text) => {
      const result = catalogue({ title: "Halo", by: "Beyoncé" }).result(text);
      expect(result.names).toEqual(["[Beyoncé]", "Halo"]);
    },
  );

  test.each(["metalica", "metalicca", "netallika", "emtallcia"])(
    "of two edits in a word of eight or more are corrected: %s",
    (text) => {
      expect(catalogue({ title: "One", by: "Metallica" }).find(text)).toEqual(["[Metallica]", "One"]);
    },
  );

  test("in several words, and next to an unfinished word, are reported", () => {
    const index = catalogue({ title: "Humble", by: "Kendrick Lamar" }, { title: "Knife", by: "Grizzly" });
    expect(index.find("kendrik lamarr")).toEqual(["[Kendrick Lamar]", "Humble"]);
    const { names, interpretation } = index.result("grizly kni");
    expect(names).toEqual(["Knife"]);
    expect(interpretation).toEqual({ text: "grizzly kni", corrected: { grizly: "grizzly" } });
  });

  test("rank after matches as typed, fewest edits first", () => {
    const index = catalogue(
      { title: "Netallica", plays: 5 },
      { title: "Metalica", plays: 1 },
      { title: "Metallica", plays: 9 },
      { title: "Song", by: "The Metallica" },
    );
    expect(index.find("metalica")).toEqual(["Metalica", "Metallica", "[The Metallica]", "Song", "Netallica"]);
    expect(index.result("metalica").interpretation).toBeUndefined();
  });

  test("are not corrected if 20 beats match as typed", () => {
    const index = catalogue({ title: "Coldplay" }, ...numbered(20, (n) => ({ title: `Goldplay ${n}` })));
    expect(index.result("goldplay").totals.beats).toBe(20);
    index.apply({ goneBeats: [2] });
    expect(index.find("goldplay").at(-1)).toBe("Coldplay");
  });

  test("are never corrected to a word that is no longer in the catalogue", () => {
    const index = catalogue({ title: "Beyonce", by: "Nova" }, { title: "Song", by: "Nova", tags: ["metallic"] });
    index.apply({ goneBeats: [1, 2], goneProducers: [index.idOf("Nova")] });
    for (const text of ["beyonse", "nvoa", "metalic"])
      expect(index.result(text)).toEqual({ hits: [], names: [], totals: { beats: 0, producers: 0 } });
  });

  test("of one letter in a word of three, and of two in one of six, are corrected if nothing matches otherwise", () => {
    const index = catalogue({ title: "Sun" }, { title: "Halo", by: "Eminem" });
    expect(index.result("sum")).toMatchObject({ names: ["Sun"], interpretation: { corrected: { sum: "sun" } } });
    expect(index.find("eminmen")).toEqual(["[Eminem]", "Halo"]);
    expect(catalogue({ title: "Sum" }, { title: "Sun" }).find("sum")).toEqual(["Sum"]);
  });

  test("are not assumed in two words of three letters: the words name something that is not in the catalogue", () => {
    const index = catalogue({ title: "Hap i mørket" });
    expect(index.find("hup hep")).toEqual([]);
    expect(index.find("hup")).toEqual(["Hap i mørket"]);
  });

  test("are not assumed next to a tempo that the word's beats do not have: the tempo is left out", () => {
    const index = catalogue(
      { title: "Tram", genre: "House", tempo: 140 },
      { title: "Night", genre: "Trap", tempo: 90 },
    );
    expect(index.result("trap 140 bpm")).toMatchObject({
      names: ["Night"],
      interpretation: { text: "trap", ignored: ["140", "bpm"] },
    });
    expect(index.find("tran 140 bpm")).toEqual(["Tram"]);
  });
});

describe("a word too many", () => {
  const index = catalogue(
    { title: "Blinding Lights", by: "Weekender", plays: 5 },
    { title: "Lights Live", by: "Nova", plays: 9 },
    ...numbered(5, (n) => ({ title: `Live ${n}` })),
  );

  test("is left out if nothing matches it, and reported", () => {
    const { names, interpretation } = index.result("blinding lights karaoke");
    expect(names).toEqual(["Blinding Lights"]);
    expect(interpretation).toEqual({ text: "blinding lights", ignored: ["karaoke"] });
  });

  test("is the most frequent one if each matches something", () => {
    const { names, interpretation } = index.result("live blinding lights");
    expect([names, interpretation?.ignored]).toEqual([["Blinding Lights"], ["live"]]);
  });

  test("is left out even if another word is misspelt", () => {
    expect(index.find("blnding lights karaoke")).toEqual(["Blinding Lights"]);
  });

  test("is never the only word: the result is empty rather than arbitrary", () => {
    for (const text of ["karaoke", "karaoke xylophone", "karaoke xylophone lights"])
      expect([text, index.find(text)]).toEqual([text, []]);
  });
});

describe("one ranking of beats and producers", () => {
  test("is by how much of the name was typed, then by popularity", () => {
    const index = catalogue(
      { title: "Other", by: "Nova", plays: 2 },
      { title: "Another", by: "Nova", plays: 3 },
      { title: "Super Nova", by: "Ann", plays: 900 },
      { title: "Nova", by: "Ben", plays: 1 },
      { title: "Nova Heart", by: "Cleo", plays: 50 },
      { title: "Song", by: "Nova Scotia", plays: 1 },
      { title: "Song of Songs", by: "Super Nova", plays: 700 },
      { title: "Anything", by: "Ann", tags: ["nova sound"], plays: 800 },
    );
    const best = ["[Nova]", "Nova", "Nova Heart", "Another", "Other", "[Nova Scotia]", "Super Nova", "[Super Nova]"];
    expect(index.find("nova")).toEqual([...best, "Anything", "Song of Songs", "Song"]);
  });

  test("puts beats of an exactly named genre or tag on a level with names that begin with the text", () => {
    const index = catalogue(
      { title: "Quiet", genre: "Hip Hop", plays: 9 },
      { title: "Louder", tags: ["hip-hop"], plays: 8 },
      { title: "Hip Hop Hooray", by: "Ann", plays: 7 },
      { title: "I Love Hip Hop", by: "Ann", plays: 99 },
    );
    expect(index.find("hip hop").slice(0, 3)).toEqual(["Quiet", "Louder", "Hip Hop Hooray"]);
    expect(index.find("hiphop").slice(0, 2)).toEqual(["Quiet", "Louder"]);
  });

  test("orders equal matches by id, the newest first", () => {
    const index = catalogue(...numbered(5, (n) => ({ title: `Dawn ${n}` })));
    expect(index.find("dawn")).toEqual(["Dawn 5", "Dawn 4", "Dawn 3", "Dawn 2", "Dawn 1"]);
  });

  test("has only the requested kinds", () => {
    const index = catalogue({ title: "Nova", by: "Nova" });
    expect(index.find("nova", { kinds: ["beats"] })).toEqual(["Nova"]);
    expect(index.find("nova", { kinds: ["producers"] })).toEqual(["[Nova]"]);
  });

  test("puts a popular producer whose name nearly matches the text first", () => {
    const index = catalogue(
      { title: "Song", by: "The Weeknd", plays: 500 },
      ...numbered(30, (n) => ({ title: "The Weekend", by: `Nova ${n}`, plays: n })),
    );
    expect(index.find("the weekend").slice(0, 2)).toEqual(["[The Weeknd]", "The Weekend"]);
    expect(index.result("the weekend").totals).toEqual({ beats: 30, producers: 1 });
    index.add({ title: "Anything", by: "The Weekend", plays: 900 });
    expect(index.find("the weekend")[0]).toBe("[The Weekend]");
    expect(index.find("the weekend")).not.toContain("[The Weeknd]");
  });
});

describe("copies of one recording by one producer", () => {
  const copies = () =>
    catalogue(
      { title: "Night Drive", plays: 1, priceCents: 500 },
      { title: "Night-Drive", plays: 9 },
      { title: "night drive", by: "Somebody Else", plays: 5 },
    );

  test("are one hit, the most popular, and count once", () => {
    const { names, totals } = copies().result("night");
    expect(names).toEqual(["[Nightowl]", "Night-Drive", "night drive"]);
    expect(totals).toEqual({ beats: 2, producers: 1 });
  });

  test("are found if only they pass the filters", () => {
    expect(copies().find("night drive", { kinds: ["beats"], filters: { priceCents: { max: 500 } } })).toEqual([
      "Night Drive",
    ]);
  });

  test("are found again after a title or a producer changed, or a beat was removed", () => {
    const index = copies().add({ id: 1, title: "Day Drive" });
    expect(index.find("drive", { kinds: ["beats"] })).toHaveLength(3);
    index.add({ id: 3, title: "night drive", plays: 5 });
    expect(index.find("night drive", { kinds: ["beats"] })).toEqual(["Night-Drive"]);
    index.apply({ goneBeats: [2] });
    expect(index.find("night drive", { kinds: ["beats"] })).toEqual(["night drive"]);
  });
});

describe("pages", () => {
  test("have every match once, and the same totals", () => {
    const index = catalogue(
      ...numbered(45, (n) => ({ title: `Dusk ${Math.min(n, 40)}`, by: `Dusk ${n % 7}`, plays: n % 4 })),
    );
    const pages = [0, 10, 20, 30, 40, 50].map((offset) => index.result("dusk", { offset, limit: 10 }));
    const whole = index.result("dusk", { limit: 100 });
    const ids = (kind: string, { hits }: typeof whole) => hits.filter((hit) => hit.kind === kind).map(({ id }) => id);
    for (const kind of ["beat", "producer"]) expect(pages.flatMap((page) => ids(kind, page))).toEqual(ids(kind, whole));
    for (const { totals } of pages) expect(totals).toEqual({ beats: ids("beat", whole).length, producers: 7 });
  });

  test("of beats can be sorted by price", () => {
    const index = catalogue(...numbered(9, (n) => ({ title: `Dusk ${n}`, priceCents: (n * 7) % 10 })));
    const names = index.find("dusk", { kinds: ["beats"], sort: "price_asc", limit: 3, offset: 1 });
    expect(names).toEqual(["Dusk 6", "Dusk 9", "Dusk 2"]);
  });
});

test("facets count the matches, each without its own filter", () => {
  const index = catalogue(
    { title: "Dusk 1", genre: "Rock" },
    { title: "Dusk 2", genre: "Pop" },
    { title: "Dusk 2", genre: "Pop" },
    { title: "Dawn", genre: "Rock" },
  );
  const { facets } = index.result("dusk", { filters: { genres: [index.idOf("Rock")] }, facets: ["genre"] });
  expect(facets?.genre).toEqual([
    { value: index.idOf("Rock"), count: 1 },
    { value: index.idOf("Pop"), count: 1 },
  ]);
});

test("facets count the same beats as the total: of copies, the best that passes the filters", () => {
  const index = new Searchable().add(
    { title: "Dusk", by: "Nightowl", genre: "Trap", plays: 9 },
    { title: "dusk", by: "Nightowl", genre: "House", plays: 1 },
  );
  const filtered = (filters: BeatFilters) =>
    index.result("dusk", { kinds: ["beats"], filters, facets: ["genre", "bpm"] });
  const house = filtered({ genres: [index.idOf("House")] });
  expect(house.totals.beats).toBe(1);
  expect(house.facets?.bpm).toEqual([{ value: 120, max: 129, count: 1 }]);
  expect(filtered({}).facets?.genre).toEqual([{ value: index.idOf("Trap"), count: 1 }]);
});

describe("what artists type", () => {
  const index = catalogue(
    { title: "Chop Shop", by: "Élodie", genre: "House", tempo: 124, plays: 90 },
    { title: "Sax Piano", by: "Élodie", genre: "House", tempo: 122, plays: 80 },
    { title: "North", genre: "Trap", tempo: 150, keyCode: 12, priceCents: 1_990, tags: ["dark"], plays: 5 },
    { title: "South", genre: "Trap", tempo: 144, keyCode: 22, priceCents: 2_990, tags: ["piano"], plays: 4 },
    { title: "East", genre: "Boom Bap", tempo: 92, keyCode: 22, priceCents: 2_490, tags: ["brooding"], plays: 3 },
  );

  test("is not corrected if it is a word of music: the rest is found, and the ignored words are reported", () => {
    expect(index.result("melodic trap")).toMatchObject({
      names: ["North", "South"],
      interpretation: { text: "trap", ignored: ["melodic"] },
    });
    expect(index.find("sad piano")[0]).not.toBe("Chop Shop");
    expect(index.find("melodik trap")).toEqual(["North", "South"]);
  });

  test("loses another word before the whole name of a genre, even if that word is rarer", () => {
    const genres = catalogue(
      { title: "North", genre: "Drill" },
      { title: "South", genre: "Drill" },
      { title: "East", genre: "UK Garage" },
    );
    expect(genres.result("uk drill")).toMatchObject({
      names: ["South", "North"],
      interpretation: { text: "drill", ignored: ["uk"] },
    });
  });

  test("finds the genres or moods of a family if it names the family", () => {
    expect(index.find("hip hop")).toEqual(["North", "South", "East"]);
    expect(index.find("rap")).toEqual(["North", "South", "East"]);
    expect(index.find("sad")).toEqual(["East"]);
    expect(index.result("dark hip hop beats to study to")).toMatchObject({
      names: ["North"],
      interpretation: { text: "dark hip hop", ignored: ["beats", "to", "to", "study"] },
    });
  });

  test("may have a tempo without its unit, alone or next to a genre or a key", () => {
    expect(index.result("trap 150")).toMatchObject({
      names: ["North"],
      interpretation: { bpm: { min: 150, max: 150 } },
    });
    expect(index.find("Gm 92")).toEqual(["East"]);
    expect(index.find("144")).toEqual(["South"]);
  });

  test("may have a price in words", () => {
    expect(index.result("trap under $20")).toMatchObject({
      names: ["North"],
      interpretation: { text: "trap", priceCents: { max: 2_000 } },
    });
    expect(index.find("over 25 dollars")).toEqual(["South"]);
  });

  test("loses one trait at a time if no beat has all of them, the price first, then the key, then the tempo", () => {
    expect(index.result("trap 150 under 10")).toMatchObject({
      names: ["North"],
      interpretation: { bpm: { min: 150, max: 150 }, ignored: ["under", "10"] },
    });
    expect(index.result("boom bap a minor 92 bpm")).toMatchObject({
      names: ["East"],
      interpretation: { text: "boom bap", bpm: { min: 92, max: 92 }, ignored: ["a", "minor"] },
    });
    expect(index.result("trap 92 bpm")).toMatchObject({
      names: ["North", "South"],
      interpretation: { text: "trap", ignored: ["92", "bpm"] },
    });
  });

  test("keeps a key with its mode, and loses a bare number, if no beat has both", () => {
    expect(index.result("a minor 92")).toMatchObject({
      names: ["North"],
      interpretation: { text: "", keys: [12], ignored: ["92"] },
    });
  });

  test("finds the nearest tempos if no beat has the typed one, and reports the range", () => {
    expect(index.result("trap 146")).toMatchObject({
      names: ["South"],
      interpretation: { text: "trap", bpm: { min: 144, max: 148 }, widened: { "146": "144-148" } },
    });
    expect(index.result("trap g minor 150")).toMatchObject({
      names: ["South"],
      interpretation: { bpm: { min: 144, max: 156 }, keys: [22], widened: { "150": "144-156" } },
    });
    expect(index.result("140 bpm")).toMatchObject({
      names: ["South"],
      interpretation: { bpm: { min: 135, max: 145 }, widened: { "140 bpm": "135-145" } },
    });
    expect(index.result("trap 146 under 10")).toMatchObject({
      interpretation: { widened: { "146": "144-148" }, ignored: ["under", "10"] },
    });
    expect(index.result("trap 150").interpretation).not.toHaveProperty("widened");
  });

  test("may have words that match any beat", () => {
    expect(index.find("trap type beat")).toEqual(["North", "South"]);
    expect(index.result("dark trap beat").interpretation).toEqual({ text: "dark trap", ignored: ["beat"] });
    expect(catalogue({ title: "Beat It" }, { title: "It" }).find("beat it")).toEqual(["Beat It"]);
  });

  test("may be written as two words", () => {
    expect(catalogue({ title: "Wobble", genre: "Dubstep" }).find("dub step")).toEqual(["Wobble"]);
  });
});
