import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "./stage.ts";

export interface TakenMail {
  to: string;
  messageId: string;
}

/** A mail server that takes `delayMs` for each reply, and records recipient and Message-ID of each mail. */
export async function mailServer(stage: Stage, delayMs = 0): Promise<{ url: string; mails: TakenMail[] }> {
  const mails: TakenMail[] = [];
  const sockets = new Set<Socket>();
  const converse = async (socket: Socket) => {
    const reply = async (line: string) => {
      await sleep(delayMs);
      socket.write(`${line}\r\n`);
    };
    await reply("220 mail");
    let isText = false;
    let mail = { to: "", messageId: "" };
    for await (const line of createInterface(socket)) {
      if (isText && line !== ".") {
        mail.messageId ||= /^Message-ID: <([^>]+)>/i.exec(line)?.[1] ?? "";
        continue;
      }
      mail.to = /^RCPT TO:<([^>]+)>/i.exec(line)?.[1] ?? mail.to;
      if (isText) {
        mails.push(mail);
        mail = { to: "", messageId: "" };
      }
      isText = line === "DATA";
      if (isText) await reply("354 go on");
      else await reply(line === "QUIT" ? "221 bye" : "250 ok");
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    // A killed sender resets the connection.
    converse(socket).catch(() => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stage.onClose(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, mails };
}

const addressRecord = 1;

/**
 * A name server (RFC 1035) that resolves every name to 127.0.0.1, except names that begin with `hanging`, whose queries
 * it never answers. Returns the settings for a program that uses the name server.
 */
export async function hangingNameServer(
  stage: Stage,
): Promise<{ settings: Record<string, string>; unanswered(): number }> {
  let unanswered = 0;
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const nameLength = query.indexOf(0, 12) + 1 - 12;
    if (query.toString("latin1", 13, 20) === "hanging") {
      unanswered++;
      return;
    }
    const question = query.subarray(12, 12 + nameLength + 4);
    const isAddress = question.readUInt16BE(nameLength) === addressRecord;
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, addressRecord, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
    socket.send(Buffer.concat([head, question, ...(isAddress ? [answer] : [])]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  stage.onClose(async () => {
    socket.close();
  });
  return {
    settings: {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "use-name-server.main.ts")}`,
      FAULTS_NAME_SERVER: `127.0.0.1:${socket.address().port}`,
    },
    unanswered: () => unanswered,
  };
}
