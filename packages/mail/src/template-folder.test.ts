import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTemplateFolder } from "./template-folder.ts";

const catalogue = {
  builtIn: {
    en: { welcome: "# Welcome to {site}", reminder: "# A reminder" },
    de: { welcome: "# Willkommen bei {site}", reminder: "# Eine Erinnerung" },
  },
  factsOf: (name: "welcome" | "reminder") => (name === "welcome" ? ["site", "link"] : ["site"]),
};

async function open(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "templates-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return openTemplateFolder({ folder, setting: "TEMPLATES" }, catalogue);
}

test("a file replaces the built-in text in all languages, and a language's file replaces it in that language", async () => {
  expect(await open({ "welcome.md": "# Hello\r\n\r\n{link}\n", "de/welcome.md": "# Hallo", "notes.txt": "x" })).toEqual(
    {
      en: { ...catalogue.builtIn.en, welcome: "# Hello\n\n{link}" },
      de: { ...catalogue.builtIn.de, welcome: "# Hallo" },
    },
  );
});

test.each([
  ["of another name", { "welcom.md": "# Hello" }, "welcom.md replaces no mail. The mails are welcome, reminder."],
  ["of another name in a language", { "de/welcom.md": "# Hello" }, join("de", "welcom.md")],
  ["without a subject", { "welcome.md": "Hello" }, "welcome.md does not begin with a subject"],
  [
    "with a fact of another mail",
    { "reminder.md": "# {link}" },
    "has {link}, which nothing fills in. It takes {site}.",
  ],
  ["that is too large", { "welcome.md": `# ${"x".repeat(65_536)}` }, "has 65538 bytes; it takes at most 65536"],
])("a file %s is refused with the reason", async (_, files, reason) => {
  await expect(open(files as Record<string, string>)).rejects.toThrow(reason);
});

test("a missing folder is refused with the name of the setting", async () => {
  await expect(openTemplateFolder({ folder: "/nonexistent", setting: "TEMPLATES" }, catalogue)).rejects.toThrow(
    "TEMPLATES is /nonexistent, which cannot be read (ENOENT).",
  );
});
