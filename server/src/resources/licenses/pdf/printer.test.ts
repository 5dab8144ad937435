import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import jsqr from "jsqr";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { DocumentPrinter, type PrinterOptions } from "../../printing/printer.ts";
import type { Certificate } from "../certificate.ts";
import { builtInTerms } from "../terms/built-in.ts";
import { certificatePrinter } from "./printer.ts";

const documents = new DocumentPrinter();
const printer = certificatePrinter(documents);
const pdfium = await PDFiumLibrary.init();
afterAll(async () => {
  await documents.close();
  pdfium.destroy();
});

const id = "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c921";
const certificate = (over: Partial<Certificate> = {}): Certificate => ({
  id,
  url: `https://beats.example.com/licenses/${id}`,
  jws: "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl",
  log: null,
  orderId: 1042,
  beatId: 7,
  beatTitle: "Midnight",
  producerId: 3,
  producerName: "Nightowl",
  buyerName: "Bonnie Buyer",
  licenseType: "basic",
  termsVersion: "2026-11-26",
  changedLimits: null,
  terms: { version: "2026-11-26", ...builtInTerms.texts.basic },
  purchasedAt: new Date("2026-11-22T19:10:00Z"),
  files: [{ kind: "mp3", filename: "Midnight.mp3", bytes: 8_400_000, sha256: "0123456789abcdef".repeat(4) }],
  ...over,
});

/** The text of all pages. */
async function textOf(pdf: Uint8Array): Promise<string> {
  const document = await pdfium.loadDocument(pdf);
  try {
    return [...document.pages()]
      .map((page) => page.getText())
      .join("\n")
      .replace(/\s+/g, " ");
  } finally {
    document.destroy();
  }
}

/** What the QR code of the first page says. Decoding takes most of a second. */
async function qrOf(pdf: Uint8Array): Promise<string | undefined> {
  const document = await pdfium.loadDocument(pdf);
  try {
    const { data, width, height } = await document.getPage(0).render({ scale: 1.5, render: "bitmap" });
    return jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: "dontInvert" })?.data;
  } finally {
    document.destroy();
  }
}

describe("a printed certificate", () => {
  it("says what was bought, in full, and its code leads to the public page", async () => {
    const pdf = await printer.print(certificate());
    expect(await qrOf(pdf)).toBe(certificate().url);
    const text = await textOf(pdf);
    for (const part of [
      "Midnight",
      "Nightowl",
      "Bonnie Buyer",
      "Basic license",
      "No. 1042",
      "22 November 2026, 19:10 UTC",
      "Version 2026-11-26",
      "Midnight.mp3",
      "0123456789abcdef".repeat(4),
      "8.4 MB",
      "up to 2,000 copies",
      "“Prod. by Nightowl”",
      "A full refund of the order ends this license.",
      `License ${id}`,
      certificate().jws,
    ])
      expect(text).toContain(part);
  });

  it("names the license that it replaces, and says nothing where it replaces none", async () => {
    const replaces = "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c900";
    expect(await textOf(await printer.print(certificate({ replaces })))).toMatch(
      new RegExp(`Replaces the license ${replaces}`, "i"),
    );
    expect(await textOf(await printer.print(certificate()))).not.toMatch(/replaces the license/i);
  });

  it("names the leaf of the sale in the license log, and no log without a proof", async () => {
    const log = {
      ...{ origin: "beats.example.com/licenses/log", index: 41, size: 57, leaf: "", proof: [] },
      ...{ salt: "", opening: "", checkpoint: "" },
    };
    const text = await textOf(await printer.print(certificate({ log })));
    expect(text).toMatch(/License log Leaf 41 of beats\.example\.com\/licenses\/log/i);
    expect(text).toContain("and proves that the sale is in the license log");
    expect(await textOf(await printer.print(certificate()))).not.toMatch(/license log/i);
  });

  it.each([
    ["Latin", "Zoë Ångström"],
    ["Polish", "Żaneta Święta-Łęcka"],
    ["Korean", "김민준"],
    ["Japanese", "山田さくら"],
    ["Hebrew", "שלומית"],
    ["Arabic", "نور"],
    ["emoji", "🎧🔥"],
  ])("has names in %s as they are written", async (_, name) => {
    const text = await textOf(await printer.print(certificate({ buyerName: name, beatTitle: name })));
    expect(text.split(name).length - 1).toBeGreaterThanOrEqual(2);
  });

  it("has names in all scripts that people write, without a box", async () => {
    const names = {
      Greek: "Αλέξης",
      Cyrillic: "Їжак",
      Devanagari: "कार्त्स्न्य अर्जुन",
      Bengali: "সত্যজিৎ",
      Gurmukhi: "ਗੁਰਪ੍ਰੀਤ",
      Gujarati: "જિજ્ઞેશ",
      Odia: "ଜଗନ୍ନାଥ",
      Tamil: "ஸ்ரீநிவாசன்",
      Telugu: "శ్రీనివాస్",
      Kannada: "ಕೃಷ್ಣಮೂರ್ತಿ",
      Malayalam: "ശ്രീകുമാർ",
      Sinhala: "ශ්‍රියානි",
      Thai: "สวัสดิ์ ปิ่นเพชร",
      Lao: "ສົມສັກ",
      Khmer: "ស្រីស្ត្រី",
      Burmese: "မြွှေ့ အောင်",
      Tibetan: "བསྒྲུབས་བསྟན་འཛིན",
      Georgian: "გიორგი Ჲ",
      Armenian: "Արմեն",
      Amharic: "አበበ",
      Dhivehi: "އަޙްމަދު",
      Syriac: "ܐܦܪܝܡ",
      Cherokee: "ᏣᎳᎩ",
      Inuktitut: "ᐃᓄᒃᑎᑐᑦ",
      Berber: "ⴰⵎⴰⵣⵉⵖ",
      Mongolian: "ᠪᠠᠲᠤ",
      Adlam: "𞤀𞤁𞤂𞤢𞤥",
      NKo: "ߒߞߏ",
      Javanese: "ꦗꦮ",
      Santali: "ᱥᱟᱱᱛᱟᱲᱤ",
      Meitei: "ꯃꯤꯇꯩ",
      Urdu: "نستعلیق ٹھیک",
      Vietnamese: "Nguyễn Thị Hữu",
      "traditional Chinese": "蔡依林 龍韻",
      symbols: "★ ♫ → ∞ ½ № ™ ☯ ♛",
    };
    for (const [script, name] of Object.entries(names)) {
      const text = await textOf(await printer.print(certificate({ buyerName: name, producerName: name })));
      expect(text, script).toContain(`License ${id}`);
      expect(text, script).not.toContain("stands for a character that these fonts do not have.");
    }
  });

  it.each([
    ["𝕯𝖆𝖗𝖐 𝓢𝓸𝓾𝓵 𝟟", "Dark Soul 7"],
    ["𝐁𝐨𝐥𝐝 𝚖𝚘𝚗𝚘", "Bold mono"],
    ["ＦＵＬＬ", "ＦＵＬＬ"],
  ])("has the styled letters of %s as letters that can be read and searched", async (name, printed) => {
    const text = await textOf(await printer.print(certificate({ buyerName: name })));
    expect(text).toContain(printed);
    expect(text).not.toContain("stands for a character");
  });

  it("is the same file for the same facts", async () => {
    const [one, two] = await Promise.all([printer.print(certificate()), printer.print(certificate())]);
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(hash(one)).toBe(hash(two));
    expect(Buffer.from(one).toString("latin1")).toContain("pdfaid:part>2<");
  });

  it("takes any name as a text: markup, controls, characters that no font has, words without end", async () => {
    const names = [
      '#panic("x") $a$ *b* #read("/etc/passwd") [x] ]] \\u{41}',
      "a\u202eb\u2066\u0000\u0007\u2028c\ufeffd\ud800e\uffff",
      `e${"\u0302".repeat(500)}`,
      "สวัสดี \ue000 \u{16a0} \u{1f3f4}\u{e0067}\u{e007f} 👩‍👩‍👧 ❤️",
      "W".repeat(255),
      "ש".repeat(255),
      "\u3164",
      "  ",
    ];
    for (const name of names) {
      const pdf = await printer.print(
        certificate({
          beatTitle: name,
          producerName: name,
          buyerName: name,
          files: [{ kind: "mp3", filename: `${name}.mp3`, bytes: 1, sha256: "0".repeat(64) }],
        }),
      );
      const text = await textOf(pdf);
      // Whatever the name, the rest is there.
      expect(text).toContain(`License ${id}`);
      if (name.startsWith("#panic")) expect(text).toContain('#panic("x") $a$ *b* #read("/etc/passwd")');
      if (name.startsWith("a\u202e")) expect(text).toMatch(/ ab cd.e/);
      if (name.startsWith("ส")) expect(text).toContain("stands for a character that these fonts do not have.");
    }
  });
});

describe("the printer", () => {
  const printerWith = async (source: string, options: PrinterOptions = {}) => {
    const folder = await mkdtemp(join(tmpdir(), "beatmarket-printer-"));
    const file = join(folder, "worker.mjs");
    await writeFile(file, `import { parentPort } from "node:worker_threads";\n${source}`);
    const documents = new DocumentPrinter({ worker: pathToFileURL(file), ...options });
    const made = {
      print: (facts: Certificate) => certificatePrinter(documents).print(facts),
      isRunning: () => documents.isRunning,
      close: () => documents.close(),
    };
    onTestFinished(async () => {
      await made.close();
      await rm(folder, { recursive: true });
    });
    return { made, folder };
  };
  const refused = { status: 503, message: "Document not ready", headers: { "retry-after": "5" } };
  const causeOf = (print: Promise<unknown>) =>
    print.then(
      () => "",
      (error: ApiError) => String((error.cause as Error).message),
    );

  it("ends its thread when idle, and starts another one", async () => {
    const { made } = await printerWith(
      `parentPort.on("message", ({ id }) => parentPort.postMessage({ id, pdf: new Uint8Array(3) }));`,
      { idleMs: 0 },
    );
    for (let time = 0; time < 2; time++) {
      expect(await made.print(certificate())).toHaveLength(3);
      await expect.poll(made.isRunning).toBe(false);
    }
  });

  it("refuses what takes too long, and starts again without it", async () => {
    const { made } = await printerWith(
      `parentPort.on("message", ({ id, facts }) => { if (facts.orderId === 1) for (;;); else parentPort.postMessage({ id, pdf: new Uint8Array(3) }); });`,
      { timeoutMs: 300 },
    );
    const [hung, behind] = [made.print(certificate({ orderId: 1 })), made.print(certificate({ orderId: 2 }))];
    await expect(hung).rejects.toMatchObject(refused);
    expect(await causeOf(hung)).toBe("printing took more than 300 ms");
    await expect(behind).rejects.toMatchObject(refused);
    await expect(printer.print(certificate())).resolves.toBeDefined();
  });

  it("refuses when its thread dies, and when too many wait", async () => {
    const dying = await printerWith(`parentPort.on("message", () => process.exit(1));`);
    await expect(dying.made.print(certificate())).rejects.toMatchObject(refused);
    const silent = await printerWith(`parentPort.on("message", () => {});`, { maxWaiting: 1 });
    const first = silent.made.print(certificate());
    expect(await causeOf(silent.made.print(certificate()))).toBe("too many documents are being printed");
    const refusal = expect(first).rejects.toMatchObject(refused);
    await silent.made.close();
    await refusal;
  });

  it("hides from buyers what Typst says", async () => {
    const { made } = await printerWith(
      `parentPort.on("message", ({ id }) => parentPort.postMessage({ id, error: "the font …" }));`,
    );
    const error = await made.print(certificate()).catch((thrown: ApiError) => thrown);
    expect(error).toMatchObject({ ...refused, details: expect.not.stringContaining("font") });
  });
});
