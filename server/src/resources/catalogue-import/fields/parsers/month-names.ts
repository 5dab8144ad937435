/** Of which no two call different months alike. */
const languages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "sv",
  "da",
  "nb",
  "fi",
  "pl",
  "cs",
  "tr",
  "ru",
  "uk",
  "hu",
  "ro",
];

let numbers: ReadonlyMap<string, number> | undefined;

/** The number of a month by its name or its usual short form, as spreadsheets of these languages write it; null for others. */
export function monthNumber(name: string): number | null {
  numbers ??= monthNumbers();
  return numbers.get(keyOf(name)) ?? null;
}

function monthNumbers(): Map<string, number> {
  const byName = new Map<string, number>();
  for (const language of languages)
    for (const month of ["long", "short"] as const)
      for (const day of [undefined, "numeric"] as const) {
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: "UTC" });
        for (let index = 0; index < 12; index++) {
          const name =
            format.formatToParts(Date.UTC(2019, index, 15)).find(({ type }) => type === "month")?.value ?? "";
          if (!byName.has(keyOf(name))) byName.set(keyOf(name), index + 1);
        }
      }
  byName.set("sept", 9);
  return byName;
}

const keyOf = (name: string): string => name.normalize("NFC").toLowerCase().replace(/\.$/, "");
