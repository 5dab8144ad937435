import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { document } from "../testing/names-page.ts";
import { textOfPdf } from "../testing/text-of-pdf.ts";
import { DocumentPrinter, type PrinterOptions } from "./printer.ts";

const namesPage = { module: new URL("../testing/names-page.ts", import.meta.url), name: "page" };
const printer = new DocumentPrinter();
const pdfium = await PDFiumLibrary.init();
afterAll(async () => {
  await printer.close();
  pdfium.destroy();
});

type NamesPage = Parameters<(typeof document)["layout"]>[0];
const print = (name: string): Promise<Uint8Array> => printer.print(namesPage, { names: [name] } satisfies NamesPage);

const textOf = (pdf: Uint8Array): Promise<string> => textOfPdf(pdfium, pdf);

describe("a printed document", () => {
  it("has names in each of many scripts, without a box", async () => {
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
      const text = await textOf(await print(name));
      expect(text, script).toContain("Yours sincerely");
      expect(text, script).not.toContain("stands for a character that these fonts do not have.");
    }
  });

  it.each([
    ["𝕯𝖆𝖗𝖐 𝓢𝓸𝓾𝓵 𝟟", "Dark Soul 7"],
    ["𝐁𝐨𝐥𝐝 𝚖𝚘𝚗𝚘", "Bold mono"],
    ["ＦＵＬＬ", "ＦＵＬＬ"],
  ])("has the styled letters of %s as letters that can be read and searched", async (name, printed) => {
    const text = await textOf(await print(name));
    expect(text).toContain(printed);
    expect(text).not.toContain("stands for a character");
  });

  it("is PDF/A-2, and the same file for the same facts", async () => {
    const [one, two] = await Promise.all([print("Zoë"), print("Zoë")]);
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(hash(one)).toBe(hash(two));
    expect(Buffer.from(one).toString("latin1")).toContain("pdfaid:part>2<");
  });

  it("prints any name as text: markup, control characters, characters without a glyph, very long words", async () => {
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
      const text = await textOf(await print(name));
      // The text after the name is complete.
      expect(text).toContain("Yours sincerely");
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
    onTestFinished(async () => {
      await documents.close();
      await rm(folder, { recursive: true });
    });
    return {
      print: (name = "Zoë") => documents.print(namesPage, { names: [name] } satisfies NamesPage),
      isRunning: () => documents.isRunning,
      close: () => documents.close(),
    };
  };
  const refused = { status: 503, message: "Document not ready", headers: { "retry-after": "5" } };
  const causeOf = (print: Promise<unknown>) =>
    print.then(
      () => "",
      (error: ApiError) => String((error.cause as Error).message),
    );

  it("ends its thread when idle, and starts another thread for the next document", async () => {
    const idling = await printerWith(
      `parentPort.on("message", ({ id }) => parentPort.postMessage({ id, pdf: new Uint8Array(3) }));`,
      { idleMs: 0 },
    );
    for (let time = 0; time < 2; time++) {
      expect(await idling.print()).toHaveLength(3);
      await expect.poll(idling.isRunning).toBe(false);
    }
  });

  it("refuses a document that takes too long and the waiting documents, and ends its thread", async () => {
    const hanging = await printerWith(
      `parentPort.on("message", ({ id, facts }) => { if (facts.names[0] === 'hangs') for (;;); else parentPort.postMessage({ id, pdf: new Uint8Array(3) }); });`,
      { timeoutMs: 300 },
    );
    const [hung, next] = [hanging.print("hangs"), hanging.print("waits")];
    await expect(hung).rejects.toMatchObject(refused);
    expect(await causeOf(hung)).toBe("printing took more than 300 ms");
    await expect(next).rejects.toMatchObject(refused);
    expect(hanging.isRunning()).toBe(false);
  });

  it("refuses documents if its thread dies, too many documents wait, or it is closed", async () => {
    const dying = await printerWith(`parentPort.on("message", () => process.exit(1));`);
    await expect(dying.print()).rejects.toMatchObject(refused);
    const silent = await printerWith(`parentPort.on("message", () => {});`, { maxWaiting: 1 });
    const first = silent.print();
    expect(await causeOf(silent.print())).toBe("too many documents are being printed");
    const refusal = expect(first).rejects.toMatchObject(refused);
    await silent.close();
    await refusal;
  });

  it("hides the error of Typst from buyers", async () => {
    const refusing = await printerWith(
      `parentPort.on("message", ({ id }) => parentPort.postMessage({ id, error: "the font …" }));`,
    );
    const error = await refusing.print().catch((thrown: ApiError) => thrown);
    expect(error).toMatchObject({ ...refused, details: expect.not.stringContaining("font") });
  });
});
