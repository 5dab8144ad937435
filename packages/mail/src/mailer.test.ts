import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { deleteOldMails, type Mail, openMailer } from "./mailer.ts";

const mailFrom = "Beat Marketplace <no-reply@beatmarket.example>";
const mail: Mail = {
  to: "ana@example.com",
  subject: "Webhook endpoint 7 is failing",
  text: "It answered 500.\nhttps://localhost/confirm?token=secret-token\n",
};

describe("without a mail server", () => {
  it("a mail is written to a file that only its owner can read; the log contains the file's name, never the text", async () => {
    const { mailer, folder, lines } = await fileMailer();
    await mailer.send(mail);
    const [name] = await readdir(folder);
    const file = join(folder, name ?? "");
    expect(file).toMatch(/\.eml$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const content = await readFile(file, "utf8");
    expect(content).toContain("To: ana@example.com");
    expect(content).toContain("From: Beat Marketplace <no-reply@beatmarket.example>");
    expect(content).toContain("Subject: Webhook endpoint 7 is failing");
    expect(content).toContain("It answered 500.");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(file);
    expect(lines.join()).not.toMatch(/token|ana@/);
  });

  it("the text of a mail is written unencoded, with any length and characters", async () => {
    const { mailer, folder } = await fileMailer();
    const link = `https://localhost/confirm?token=${"a=b&".repeat(50)}`;
    await mailer.send({ ...mail, text: `Café 🎵\n${link}\n` });
    const [name] = await readdir(folder);
    const content = await readFile(join(folder, name ?? ""), "utf8");
    expect(content).toContain(`\n\nCafé 🎵\n${link}\n`);
    expect(content.match(/^Content-.*/gm)?.toSorted()).toEqual([
      "Content-Transfer-Encoding: 8bit",
      "Content-Type: text/plain; charset=utf-8",
    ]);
  });

  it("concurrent mails do not overwrite each other", async () => {
    const { mailer, folder } = await fileMailer();
    await Promise.all(Array.from({ length: 20 }, () => mailer.send(mail)));
    expect(await readdir(folder)).toHaveLength(20);
  });

  it("a mail appears in its folder only when it is complete", async () => {
    const { mailer, folder, dataDir } = await fileMailer();
    await mkdir(folder);
    const sizes: Promise<number>[] = [];
    const watcher = watch(folder, (_, name) => sizes.push(stat(join(folder, String(name))).then(({ size }) => size)));
    const text = "a line of the mail\n".repeat(100_000);
    await mailer.send({ ...mail, text });
    await eventually(() => expect(sizes.length).toBeGreaterThan(0));
    watcher.close();
    for (const size of await Promise.all(sizes)) expect(size).toBeGreaterThan(text.length);
    expect(await readdir(dataDir)).toEqual(["mail"]);
  });

  it("a line break in a subject or an address adds no header", async () => {
    const { mailer, folder } = await fileMailer();
    await mailer.send({
      ...mail,
      subject: "Hello\r\nBcc: eve@example.com",
      to: "ana@example.com\r\nBcc: eve@example.com",
    });
    const [name] = await readdir(folder);
    expect(await readFile(join(folder, name ?? ""), "utf8")).not.toMatch(/^Bcc:/im);
  });
});

describe("with a mail server", () => {
  it("a mail is sent through the server, and no file is written", async () => {
    const { url, received } = await smtpServer();
    const { mailer, folder, lines } = await fileMailer(url);
    await mailer.send(mail);
    expect(received).toContain("MAIL FROM:<no-reply@beatmarket.example>");
    expect(received).toContain("RCPT TO:<ana@example.com>");
    expect(received).toContain("Subject: Webhook endpoint 7 is failing");
    expect(received).toContain("It answered 500.");
    await expect(readdir(folder)).rejects.toThrow("ENOENT");
    expect(lines).toEqual([]);
  });

  it("sending rejects if the server refuses the mail", async () => {
    const { url } = await smtpServer("550 no such user");
    const { mailer } = await fileMailer(url);
    await expect(mailer.send(mail)).rejects.toThrow("550 no such user");
  });

  it("sending rejects if the server is unreachable", async () => {
    const { url, close } = await smtpServer();
    await close();
    const { mailer } = await fileMailer(url);
    await expect(mailer.send(mail)).rejects.toThrow("ECONNREFUSED");
  });
});

async function fileMailer(smtpUrl?: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "mailer-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const lines: string[] = [];
  const log = { info: (line: unknown) => void lines.push(String(line)) };
  return { mailer: openMailer({ smtpUrl, mailFrom, dataDir }, log), folder: join(dataDir, "mail"), dataDir, lines };
}

/** A minimal SMTP server, which answers RCPT with `recipientReply`. `received` has the lines of the client. */
async function smtpServer(recipientReply = "250 ok") {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    sockets.add(socket);
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 test");
    let isText = false;
    for await (const line of createInterface(socket)) {
      received.push(line);
      if (isText && line !== ".") continue;
      isText = line === "DATA";
      if (line === "DATA") say("354 go on");
      else if (line.startsWith("RCPT")) say(recipientReply);
      else say(line === "QUIT" ? "221 bye" : "250 ok");
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}

const nowMs = Date.UTC(2026, 2, 1);
const hourMs = 3_600_000;

async function dataDirWith(files: Record<string, number>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "mail-files-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await mkdir(join(dataDir, "mail"));
  for (const [name, ageHours] of Object.entries(files)) {
    await writeFile(join(dataDir, name), "");
    await utimes(join(dataDir, name), new Date(), new Date(nowMs - ageHours * hourMs));
  }
  return dataDir;
}
const listFiles = async (dataDir: string) => (await readdir(dataDir, { recursive: true })).sort();

it("mails are deleted after 30 days and drafts of killed processes after an hour; other files stay", async () => {
  const dataDir = await dataDirWith({
    "mail/old.eml": 721,
    "mail/kept.eml": 719,
    "mail/note.txt": 9_999,
    ".abandoned.eml": 2,
    ".being-written.eml": 0.5,
    "secret-key": 9_999,
  });
  expect(await deleteOldMails(dataDir, nowMs)).toBe(2);
  expect(await listFiles(dataDir)).toEqual([
    ".being-written.eml",
    "mail",
    "mail/kept.eml",
    "mail/note.txt",
    "secret-key",
  ]);
});

it("the oldest mails are deleted if there are too many", async () => {
  const dataDir = await dataDirWith({ "mail/2026-01.eml": 1, "mail/2026-02.eml": 1, "mail/2026-03.eml": 1 });
  expect(await deleteOldMails(dataDir, nowMs, 2)).toBe(1);
  expect(await listFiles(dataDir)).toEqual(["mail", "mail/2026-02.eml", "mail/2026-03.eml"]);
});

it("a folder that does not exist has no mails", async () => {
  expect(await deleteOldMails("/nonexistent", nowMs)).toBe(0);
});
