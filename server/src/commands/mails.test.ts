import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { mailsCommand } from "./mails.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-mails-"));
const mails = (args: string[], env: Record<string, string> = {}) => runHere(mailsCommand, ["mails", ...args], env);

test("mails list names every mail and the values that fill it in", async () => {
  const { out, status } = await mails(["list", "--json"]);
  const names = JSON.parse(out).map(({ name }: { name: string }) => name);
  expect([names.includes("receipt"), names.includes("dispute-opened"), status]).toEqual([true, true, 0]);
  expect((await mails(["list"])).out).toContain("{items}");
});

test("mails preview shows a mail with the operator's name, footer and text, in a file on request", async () => {
  await writeFile(join(folder, "receipt.md"), "# Danke von {site}\n\n{link}\n");
  const env = { SITE_NAME: "Acme Beats", MAIL_FOOTER: "1 High Street", MAIL_TEMPLATES: folder };
  const { out } = await mails(["preview", "receipt"], env);
  expect(out).toContain("Subject: Danke von Acme Beats\n\nhttps://beats.example/library/");
  expect(out).toContain("1 High Street");
  expect(JSON.parse((await mails(["preview", "refund", "--json"], env)).out).subject).toContain("Your refund");
  const file = join(folder, "receipt.html");
  await mails(["preview", "receipt", "--html", "--out", file], env);
  expect(await readFile(file, "utf8")).toMatch(/^<!doctype html>/);
});

test("mails preview lists the valid mails for an unknown one, and names a template's unknown placeholder", async () => {
  const { errors, status } = await mails(["preview", "recipt"]);
  expect([status, errors]).toEqual([1, expect.stringContaining("receipt, library, license-usage, no-orders")]);
  await writeFile(join(folder, "sold.md"), "# {nobody}");
  const wrong = await mails(["preview", "sold"], { MAIL_TEMPLATES: folder });
  expect([wrong.status, wrong.errors]).toEqual([1, expect.stringContaining("{nobody}")]);
});
